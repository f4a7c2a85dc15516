"""Files become tables, or a sentence that names the file, the line and the column."""

import sys
from pathlib import Path

import numpy as np
import pytest

from glasstree.errors import DataError, MissingExtraError, OptionError
from glasstree.tables import Column, read_frame, read_table
from glasstree.tables.cells import better_written, column_of
from glasstree.tables.reading import Choice

NUMBERS = "".join(f"{number},no\n" for number in range(30))


def written(folder: Path, content: str | bytes) -> Path:
    """Write a file and return its path."""
    path = folder / "table.csv"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def test_columns_and_labels_are_told_apart(tmp_path: Path) -> None:
    path = written(tmp_path, "\ufeffa, kind ,b\r\n1,x,2.5\r\n\r\n-3e2, y ,0\r\n")
    table = read_table(path, "kind")
    assert table.names == ["a", "b"]
    assert table.frame.numbers().tolist() == [[1.0, 2.5], [-300.0, 0.0]]
    assert table.target.tolist() == ["x", "y"]


def test_numbers_words_dates_and_gaps_are_recognised(tmp_path: Path) -> None:
    path = written(tmp_path, "n,w,d\n1,red,1970-01-02\n,NA,\n3,blue,1970-01-03T12:00\n")
    frame = read_frame(path)
    assert [column.kind for column in frame.columns.values()] == ["number", "category", "date"]
    numbers, words, dates = frame.columns.values()
    np.testing.assert_array_equal(numbers.values, [1.0, np.nan, 3.0])
    assert words.levels == ("blue", "red")
    np.testing.assert_array_equal(words.values, [1.0, np.nan, 0.0])
    np.testing.assert_array_equal(dates.values, [1.0, np.nan, 2.5])


@pytest.mark.parametrize(
    "content",
    [
        "a;b;y\n1,5;red;p\n1.234,5;blue;q\n",
        "\ufeffa;b;y\n1,5;red;p\n1234,5;blue;q\n",
        "a\tb\ty\n1.5\tred\tp\n1234.5\tblue\tq\n",
        "a|b|y\n1.5|red|p\n1234.5|blue|q\n",
        "a,b,y\n1.5,red,p\n1234.5,blue,q\n".encode("utf-16"),
    ],
)
def test_separators_decimal_commas_and_encodings_are_recognised(
    tmp_path: Path, content: str | bytes
) -> None:
    table = read_table(written(tmp_path, content), "y")
    assert table.frame.columns["a"].values.tolist() == [1.5, 1234.5]
    assert table.frame.columns["b"].levels == ("blue", "red")
    assert table.target.tolist() == ["p", "q"]


def test_what_western_editors_wrote_before_utf_8_is_read(tmp_path: Path) -> None:
    path = written(tmp_path, "stra\u00dfe,y\nM\u00fcnchen,p\nK\u00f6ln,q\n".encode("cp1252"))
    assert read_table(path, "y").frame.columns["stra\u00dfe"].levels == (
        "K\u00f6ln",
        "M\u00fcnchen",
    )


def test_columns_are_chosen_dropped_and_separated_as_told(tmp_path: Path) -> None:
    path = written(tmp_path, "a:1,b,c:y\n")
    assert read_frame(path, Choice(separator=":")).names == ["a", "1,b,c", "y"]
    path = written(tmp_path, "a,b,c,y\n1,2,3,p\n")
    assert read_table(path, "y", Choice(drop=["b"])).names == ["a", "c"]
    assert read_table(path, "y", Choice(columns=["c", "b", "y"])).names == ["b", "c"]
    with pytest.raises(OptionError, match="did you mean 'a'"):
        read_table(path, "y", Choice(drop=["aa"]))
    with pytest.raises(OptionError, match="one character"):
        read_table(path, "y", Choice(separator=";;"))


def test_a_few_words_among_few_numbers_are_a_category(tmp_path: Path) -> None:
    path = written(tmp_path, "children,y\n" + "0,p\n1,q\n2,p\n3+,q\n" * 9)
    assert read_table(path, "y").frame.columns["children"].levels == ("0", "1", "2", "3+")
    kinds = {"children": "category"}
    (tmp_path / "few.csv").write_text("children\n01\n1\n")
    assert read_frame(tmp_path / "few.csv", kinds=kinds).columns["children"].levels == ("01", "1")


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
        ("a,y\n" + NUMBERS + "red,yes\n", "line 32, column 'a': 'red' is not a number, unlike"),
        ("a,y\n1,no\n2,\n", "line 3 has no label in 'y'"),
        ("a,y\n1e999,no\n", "line 2, column 'a': '1e999' is not a finite number"),
        ("a,y\n-inf,no\n", "line 2, column 'a': '-inf' is not a finite number"),
        ('a,y\n1,no\n"1,no\n', "is not a CSV file: line 3: unexpected end of data"),
        ('a,y\n"1"2,no\n', "is not a CSV file: line 2"),
        (b"a,y\n\xff\x81,no\n", "is not a CSV file: it is not UTF-8 text"),
        (b"a,y\n\x00,no\n", "is not a CSV file: it is not UTF-8 text"),
    ],
)
def test_a_bad_table_is_refused_by_place(tmp_path: Path, content: str | bytes, words: str) -> None:
    with pytest.raises(DataError, match=words):
        read_table(written(tmp_path, content), "y")


def test_a_file_that_is_none_is_refused(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none.csv"):
        with pytest.raises(DataError, match="cannot read"):
            read_table(path, "y")


def test_a_field_over_two_lines_does_not_upset_the_count(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="line 4, column 'a'"):
        read_table(written(tmp_path, 'a,y\n1,"n\no"\ninf,yes\n'), "y")


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
    assert table.frame.only(["a", "b"]).numbers().tolist() == [[1.0, 0.5], [2.0, -1.0]]
    assert table.frame.columns["c"].levels == ("False", "True")
    assert table.target.tolist() == ["n", "o"]


@pytest.mark.parametrize(
    "columns, words",
    [
        ({"a": [[1], [2]], "y": [0, 1]}, "column 'a' holds list; leave it out"),
        ({"a": [1.0, float("inf")], "y": [0, 1]}, "row 2: inf is not a finite number"),
        ({"a": [1.0, 2.0], "y": [None, "x"]}, "row 1 has no label in 'y'"),
        ({"a": [1.0, 2.0], "yy": [0, 1]}, "did you mean 'yy'"),
        ({"y": [0, 1]}, "needs a column beside 'y'"),
    ],
)
def test_a_bad_parquet_table_is_refused_by_place(
    tmp_path: Path, columns: dict[str, object], words: str
) -> None:
    with pytest.raises(DataError, match=words):
        read_table(parquet(tmp_path, columns), "y")


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


def test_thousands_with_commas_are_numbers_and_other_commas_are_not() -> None:
    place = "line {}".format
    assert column_of(["1,234,567", "-2,000.5", "7"], place).values.tolist() == [
        1234567.0,
        -2000.5,
        7.0,
    ]
    assert column_of(["1,23", "2"], place).kind == "category"
    assert column_of(["1,234", "2"], place, comma=True).values.tolist() == [1.234, 2.0]
    assert column_of(["1.234,5", "2.5"], place, comma=True).values.tolist() == [1234.5, 2.5]
    assert column_of(["31.12.2024", "1.2.2023"], place, comma=True).kind == "category"


def test_words_that_seem_to_be_numbers_or_dates_make_a_note() -> None:
    def written(form: str) -> str | None:
        return better_written(Column.of_texts(form.format(n) for n in range(40)))

    assert "2024-01-31" in (written("{}/12/2020") or "")
    assert "1234.5" in (written("{}.5%") or "")
    assert "1234.5" in (written("€{},50") or "")
    assert written("{} Main Street") is None
    assert written("person {}") is None
    assert better_written(Column.of_texts(["1%", "2%"])) is None
    assert better_written(Column("number", np.arange(40.0))) is None


def test_a_first_column_without_a_name_is_left_out_unless_it_is_asked_for(tmp_path: Path) -> None:
    path = written(tmp_path, ",a,index,y\n0,1,2,no\n1,3,4,yes\n")
    table = read_table(path, "y")
    assert table.names == ["a", "index"]
    assert "left out; --columns takes it as 'index_'" in table.frame.notes[0]
    asked = read_table(path, "y", Choice(columns=["index_", "a"]))
    assert (asked.names, asked.frame.notes) == (["index_", "a"], ())
    with pytest.raises(DataError, match="empty or repeated column names"):
        read_table(written(tmp_path, "a,,y\n1,2,no\n"), "y")


@pytest.mark.parametrize(
    "start, words",
    [
        (b"PK\x03\x04\x00\x00", "save the sheet as CSV, or unpack it"),
        (b"\x1f\x8b\x08\x00\x01", "it is compressed; unpack it"),
        (b"PAR1\x00\x01", "give it the ending .parquet"),
        (b"\x01\x02\x03\x04", "save it as UTF-8"),
    ],
)
def test_what_is_no_text_is_refused_by_what_it_is(tmp_path: Path, start: bytes, words: str) -> None:
    with pytest.raises(DataError, match=words):
        read_table(written(tmp_path, start), "y")
