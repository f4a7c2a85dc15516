"""CSV files: their encoding, separator and lines."""

import codecs
import csv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from glasstree.errors import DataError, OptionError

LONGEST_LINE = 1 << 24  # of a CSV file: more is something else
SEPARATORS = (",", ";", "\t", "|")
UTF16 = "utf-16"
OTHERS = {  # how files begin that are often taken for tables
    b"PK": "it is a spreadsheet or an archive; save the sheet as CSV, or unpack it",
    b"\xd0\xcf\x11\xe0": "it is a spreadsheet; save the sheet as CSV",
    b"\x1f\x8b": "it is compressed; unpack it",
    b"PAR1": "it is a Parquet file; give it the ending .parquet",
}
CHUNK = 1 << 20  # bytes that are decoded at a time
LOWEST_LETTER = 9  # the tab: bytes below it are not text


@dataclass(frozen=True)
class CsvForm:
    """How a CSV file is written."""

    encoding: str
    separator: str

    @property
    def comma(self) -> bool:
        """Whether a comma may stand for the decimal point."""
        return self.separator != ","


def csv_form(path: str | Path, separator: str | None = None) -> CsvForm:
    """Find out how a file is written; a separator that is given is kept to."""
    if separator is not None and len(separator) != 1:
        raise OptionError(f"a separator is one character, got {separator!r}")
    try:
        encoding = encoding_of(path)
        return CsvForm(encoding, separator or separator_of(path, encoding))
    except OSError as error:
        raise DataError(f"cannot read {str(path)!r}: {reason(error)}") from None


def csv_rows(path: str | Path, form: CsvForm) -> Iterator[tuple[int, list[str]]]:
    """Yield each row of a CSV file and the line that it begins in; the first is the header."""
    begins = 1
    try:
        with Path(path).open(newline="", encoding=form.encoding) as file:
            reader = csv.reader(_lines(path, file), delimiter=form.separator, strict=True)
            for row in reader:
                yield begins, row
                begins = reader.line_num + 1
    except OSError as error:
        raise DataError(f"cannot read {str(path)!r}: {reason(error)}") from None
    except csv.Error as error:
        raise DataError(f"{path} is not a CSV file: line {begins}: {error}") from None


def encoding_of(path: str | Path) -> str:
    """Tell UTF-8 and UTF-16 from what Western editors wrote before them, or refuse the file."""
    with Path(path).open("rb") as file:
        start = file.read(4)
        marked = start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    if marked and _decodes(path, UTF16):
        return UTF16
    for encoding in ("utf-8-sig", "cp1252"):
        if _decodes(path, encoding):
            return encoding
    for sign, advice in OTHERS.items():
        if start.startswith(sign):
            raise DataError(f"{path} is not a CSV file: {advice}")
    raise DataError(f"{path} is not a CSV file: it is not UTF-8 text; save it as UTF-8")


def separator_of(path: str | Path, encoding: str) -> str:
    """Return the separator that divides the header into most names."""
    with Path(path).open(newline="", encoding=encoding) as file:
        header = next(_lines(path, file), "")
    found = {sign: len(next(csv.reader([header], delimiter=sign), [])) for sign in SEPARATORS}
    return max(SEPARATORS, key=lambda sign: found[sign])


def reason(error: Exception) -> str:
    """Word why a file cannot be read."""
    return str(getattr(error, "strerror", None) or error).splitlines()[0]


def _decodes(path: str | Path, encoding: str) -> bool:
    decoder = codecs.getincrementaldecoder(encoding)()
    with Path(path).open("rb") as file:
        try:
            while chunk := file.read(CHUNK):
                if encoding != UTF16 and min(chunk) < LOWEST_LETTER:
                    return False
                decoder.decode(chunk)
            decoder.decode(b"", final=True)
        except UnicodeDecodeError:
            return False
    return True


def _lines(path: str | Path, file: TextIO) -> Iterator[str]:
    while line := file.readline(LONGEST_LINE):
        if len(line) == LONGEST_LINE:
            raise DataError(f"{path} is not a CSV file: a line has over {LONGEST_LINE:,} letters")
        yield line
