"""Files become tables, or a sentence that names the file, the line and the column."""

import sys
from pathlib import Path

import numpy as np
import pytest

from glasstree.data.tables import read_csv, read_parquet, read_table
from glasstree.errors import DataError, MissingExtraError


def written(folder: Path, content: str | bytes) -> Path:
    """Write a file and return its path."""
    path = folder / "table.csv"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def test_columns_and_labels_are_told_apart(tmp_path: Path) -> None:
    path = written(tmp_path, "\ufeffa, kind ,b\r\n1,x,2.5\r\n\r\n-3e2, y ,0\r\n")
    table = read_csv(path, "kind")
    assert table.names == ["a", "b"]
    assert table.features.tolist() == [[1.0, 2.5], [-300.0, 0.0]]
    assert table.target.tolist() == ["x", "y"]


@pytest.mark.parametrize(
    "content, words",
    [
        ("", "needs a header line"),
        ("a,y\n", "needs a column beside 'y' and at least one line"),
        ("a,y\n\n\n", "at least one line of data"),
        ("y\nno\nyes\n", "needs a column beside 'y'"),
        ("a,yy\n1,no\n", "did you mean 'yy'"),
        ("a,a,y\n1,2,no\n", "repeated column names"),
        ("a,,y\n1,2,no\n", "empty or repeated column names"),
        ("a,y\n1,no\n2\n", "line 3 has 1 fields, the header has 2"),
        ("a,y\n1,no\nred,yes\n", "line 3, column 'a': 'red' is not a number"),
        ("a,y\n1,no\n,yes\n", "line 3, column 'a': '' is not a number"),
        ("a,y\nnan,no\n", "line 2, column 'a': 'nan' is not a finite number"),
        ("a,y\n1e999,no\n", "line 2, column 'a': '1e999' is not a finite number"),
        ('a,y\n1,no\n"1,no\n', "is not a CSV file: line 3: unexpected end of data"),
        ('a,y\n"1"2,no\n', "is not a CSV file: line 2"),
        (b"a,y\n\xff\xfe,no\n", "is not a CSV file: line 2 is not UTF-8 text"),
    ],
)
def test_a_bad_table_is_refused_by_place(tmp_path: Path, content: str | bytes, words: str) -> None:
    with pytest.raises(DataError, match=words):
        read_csv(written(tmp_path, content), "y")


def test_a_file_that_is_none_is_refused(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none.csv"):
        with pytest.raises(DataError, match="cannot read"):
            read_csv(path, "y")


def test_a_field_over_two_lines_does_not_upset_the_count(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="line 4, column 'a'"):
        read_csv(written(tmp_path, 'a,y\n1,"n\no"\nred,yes\n'), "y")


def parquet(folder: Path, columns: dict[str, object]) -> Path:
    """Write a Parquet file and return its path."""
    pyarrow = pytest.importorskip("pyarrow", reason="Parquet needs pyarrow")
    from pyarrow.parquet import write_table

    path = folder / "table.parquet"
    write_table(pyarrow.table(columns), path)
    return path


def test_parquet_gives_the_same_table_as_csv(tmp_path: Path) -> None:
    path = parquet(tmp_path, {"a": [1, 2], "y": ["n", "o"], "b": [0.5, -1.0], "c": [True, False]})
    table = read_table(path, "y")
    assert table.names == ["a", "b", "c"]
    assert table.features.tolist() == [[1.0, 0.5, 1.0], [2.0, -1.0, 0.0]]
    assert table.features.dtype == np.float64
    assert table.target.tolist() == ["n", "o"]


@pytest.mark.parametrize(
    "columns, words",
    [
        ({"a": ["red", "green"], "y": [0, 1]}, "column 'a' holds string, not numbers"),
        ({"a": [1.0, None], "y": [0, 1]}, "column 'a', row 2 is empty"),
        ({"a": [1.0, float("inf")], "y": [0, 1]}, "row 2: inf is not a finite number"),
        ({"a": [1.0, float("nan")], "y": [0, 1]}, "row 2: nan is not a finite number"),
        ({"a": [1.0, 2.0], "y": [None, "x"]}, "row 1 has no label in 'y'"),
        ({"a": [1.0, 2.0], "yy": [0, 1]}, "did you mean 'yy'"),
        ({"y": [0, 1]}, "needs a column beside 'y'"),
    ],
)
def test_a_bad_parquet_table_is_refused_by_place(
    tmp_path: Path, columns: dict[str, object], words: str
) -> None:
    with pytest.raises(DataError, match=words):
        read_parquet(parquet(tmp_path, columns), "y")


def test_parquet_that_is_none_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow", reason="Parquet needs pyarrow")
    broken = tmp_path / "broken.parquet"
    broken.write_text("a,y\n1,2\n")
    with pytest.raises(DataError, match="is not a Parquet file"):
        read_table(broken, "y")
    with pytest.raises(DataError, match="cannot read"):
        read_table(tmp_path / "none.parquet", "y")


def test_parquet_without_its_package_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtraError, match=r"glasstree\[parquet\]"):
        read_table(tmp_path / "table.pq", "y")
