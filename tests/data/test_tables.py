"""CSV files become tables, or a sentence that names the file, the line and the column."""

from pathlib import Path

import pytest

from glasstree.data.tables import read_csv
from glasstree.errors import DataError


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
        ("a,y\n", "needs a header line and at least one line"),
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
        ('a,y\n"1,no\n', "is not a CSV file"),
        (b"a,y\n\xff\xfe,no\n", "is not a CSV file"),
    ],
)
def test_a_bad_table_is_refused_by_place(tmp_path: Path, content: str | bytes, words: str) -> None:
    with pytest.raises(DataError, match=words):
        read_csv(written(tmp_path, content), "y")


def test_a_file_that_is_none_is_refused(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none.csv"):
        with pytest.raises(DataError, match="cannot read"):
            read_csv(path, "y")
