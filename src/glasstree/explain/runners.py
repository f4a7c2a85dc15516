"""Exported code run by the tools of its language, away from this process."""

import json
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import numpy as np

from glasstree.errors import ExportError, ToolMissingError
from glasstree.explain.rows import Rows
from glasstree.policy.arrays import Floats, Ints

COMPILERS = ("gcc", "clang", "cc")  # the first that is there
FLAGS = ("-std=c99", "-Wall", "-Wextra", "-Werror", "-O2")  # every warning is an error
SECONDS = 300  # far more than 100,000 states take

PYTHON_MAIN = """
import array
import sys

numbers = array.array("d")
numbers.frombytes(sys.stdin.buffer.read())
width = {width}
number = LEVELS.index if "LEVELS" in globals() else int
found = (number(policy(numbers[at : at + width])) for at in range(0, len(numbers), width))
sys.stdout.buffer.write(array.array("i", found).tobytes())
"""

JAVASCRIPT_MAIN = """
const bytes = require("fs").readFileSync(0);
const start = bytes.byteOffset;
const numbers = new Float64Array(bytes.buffer.slice(start, start + bytes.length));
const found = new Int32Array(numbers.length / {width});
for (let at = 0; at < found.length; at++) {{
    const action = policy(numbers.subarray(at * {width}, (at + 1) * {width}));
    found[at] = typeof LEVELS === "undefined" ? action : LEVELS.indexOf(action);
}}
require("fs").writeSync(1, Buffer.from(found.buffer));
"""

PYTHON_ROWS = """
import json
import sys

names, dates, columns = json.load(sys.stdin)
for place, name in enumerate(names):
    if name in dates:
        read = datetime.datetime.fromisoformat
        columns[place] = [cell if cell is None else read(cell) for cell in columns[place]]
json.dump([predicted(dict(zip(names, row))) for row in zip(*columns)], sys.stdout)
"""

JAVASCRIPT_ROWS = """
const [names, dates, columns] = JSON.parse(require("fs").readFileSync(0, "utf8"));
const rows = columns[0].map((_, at) =>
    Object.fromEntries(names.map((name, place) => [name, columns[place][at]])));
require("fs").writeFileSync(1, JSON.stringify(rows.map(predicted)));
"""

C_LEVEL = "(int)((policy(state) - *policy_levels) * sizeof **policy_levels / sizeof *policy_levels)"

C_MAIN = """
#include <stdio.h>

int main(void)
{{
    {real} state[{width}];
    while (fread(state, sizeof state, 1, stdin) == 1) {{
        const int action = {number};
        if (fwrite(&action, sizeof action, 1, stdout) != 1) return 1;
    }}
    return 0;
}}
"""


def run_python(source: str, states: Floats) -> tuple[Ints, str]:
    """Run the Python form in a bare interpreter; return actions and the tool's name."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "policy.py"
        file.write_text(source + PYTHON_MAIN.format(width=states.shape[1]), encoding="utf-8")
        output = _run([sys.executable, "-I", "-S", str(file)], states.tobytes())
    version = ".".join(map(str, sys.version_info[:3]))
    return _actions(output, len(states)), f"Python {version}"


def run_javascript(source: str, states: Floats) -> tuple[Ints, str]:
    """Run the JavaScript form in Node."""
    node = shutil.which("node")
    if node is None:
        raise ToolMissingError("Node.js (node)")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "policy.js"
        file.write_text(source + JAVASCRIPT_MAIN.format(width=states.shape[1]), encoding="utf-8")
        output = _run([node, str(file)], states.tobytes())
    version = _run([node, "--version"]).decode().strip().lstrip("v")
    return _actions(output, len(states)), f"Node {version}"


def run_c(
    source: str,
    states: Floats,
    precision: str = "double",
    flags: Sequence[str] = FLAGS,
    compiler: str | None = None,
) -> tuple[Ints, str]:
    """Compile the C form with every warning an error, and run it."""
    compiler = compiler or find_compiler()
    kind = np.float64 if precision == "double" else np.float32
    number = C_LEVEL if "policy_levels[" in source else "policy(state)"
    main = C_MAIN.format(width=states.shape[1], real=precision, number=number)
    with tempfile.TemporaryDirectory() as folder:
        file, program = Path(folder) / "policy.c", Path(folder) / "policy"
        file.write_text(source + main, encoding="ascii")
        _run([compiler, *flags, "-o", str(program), str(file)])
        output = _run([str(program)], states.astype(kind).tobytes())
    version = _run([compiler, "-dumpfullversion", "-dumpversion"]).decode().split()[0]
    return _actions(output, len(states)), f"{Path(compiler).name} {version} {' '.join(flags)}"


def run_onnx(content: bytes, states: Floats, precision: str = "double") -> tuple[Ints, str]:
    """Run the ONNX form in onnxruntime; continuous actions come as rows of numbers."""
    try:
        import onnxruntime
    except ImportError:
        raise ToolMissingError("the Python package onnxruntime") from None
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
    kind = np.float64 if precision == "double" else np.float32
    found = session.run(None, {"state": states.astype(kind)})[0]
    return np.asarray(found), f"onnxruntime {onnxruntime.__version__}"


def run_sql(source: str, rows: Rows, names: Sequence[str]) -> tuple[Ints, str]:
    """Run the SQL form in SQLite, in memory, over a table of the given rows."""
    cells = rows.cells
    columns = ", ".join('"' + name.replace('"', '""') + '"' for name in cells)
    holes = ", ".join("?" for _ in cells)
    places = {name: place for place, name in enumerate(names)}
    try:
        with closing(sqlite3.connect(":memory:")) as database:
            database.execute(f"CREATE TABLE data ({columns})")
            values = zip(*cells.values(), strict=True)
            database.executemany(f"INSERT INTO data VALUES ({holes})", values)
            found = [places[row[-1]] for row in database.execute(source)]
    except sqlite3.Error as error:
        raise ExportError(f"SQLite failed on the exported query: {error}") from None
    return np.array(found, dtype=np.int64), f"SQLite {sqlite3.sqlite_version}"


def run_rows(
    command: Sequence[str], source: str, rows: Rows, names: Sequence[str]
) -> tuple[Ints, str]:
    """Run a script over rows of cells; it is given to a command that reads a file."""
    given = json.dumps([list(rows.cells), rows.dates, list(rows.cells.values())])
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "policy"
        file.write_text(source, encoding="utf-8")
        output = _run([*command, str(file)], given.encode())
    places = {name: place for place, name in enumerate(names)}
    found = [places[name] for name in json.loads(output)]
    return np.array(found, dtype=np.int64), _run([command[0], "--version"]).decode().strip()


def run_python_rows(source: str, rows: Rows, names: Sequence[str]) -> tuple[Ints, str]:
    """Run the Python form over rows in a bare interpreter."""
    return run_rows([sys.executable, "-I", "-S"], source + PYTHON_ROWS, rows, names)


def run_javascript_rows(source: str, rows: Rows, names: Sequence[str]) -> tuple[Ints, str]:
    """Run the JavaScript form over rows in Node."""
    node = shutil.which("node")
    if node is None:
        raise ToolMissingError("Node.js (node)")
    found, version = run_rows([node], source + JAVASCRIPT_ROWS, rows, names)
    return found, f"Node {version.lstrip('v')}"


def find_compiler() -> str:
    """Return the first C compiler on the path."""
    for name in COMPILERS:
        found = shutil.which(name)
        if found:
            return found
    raise ToolMissingError(f"a C compiler ({', '.join(COMPILERS)})")


def _run(command: Sequence[str], given: bytes = b"") -> bytes:
    name = Path(command[0]).name
    try:
        done = subprocess.run(command, input=given, capture_output=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        raise ExportError(f"{name} did not finish the exported code in {SECONDS} s") from None
    if done.returncode:
        message = done.stderr.decode(errors="replace").strip()[-600:]
        raise ExportError(f"{name} failed on the exported code: {message}")
    return done.stdout


def _actions(output: bytes, count: int) -> Ints:
    found = np.frombuffer(output, dtype=np.int32).astype(np.int64)
    if len(found) != count:
        raise ExportError(f"the exported code answered {len(found)} of {count} states")
    return found
