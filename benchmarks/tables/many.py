"""A million rows of fifty columns, words, truth values and gaps among them: how long `fit` takes.

python benchmarks/tables/many.py [ROWS]
"""

import resource
import sys
from time import perf_counter, process_time

import numpy as np
import pandas as pd

from glasstree import NLDTClassifier

LEVELS = (2, 3, 5, 8, 12, 20, 40, 100, 300, 1000)  # of the columns of words


def made(rows: int) -> tuple[pd.DataFrame, np.ndarray]:
    """Make thirty numbers, ten columns of words, five of truth values and five with gaps."""
    generator = np.random.default_rng(0)
    columns = {f"n{i}": generator.normal(size=rows) for i in range(20)}
    columns |= {f"h{i}": generator.lognormal(3, 1, size=rows) for i in range(10)}
    for i, count in enumerate(LEVELS):
        codes, names = generator.integers(0, count, rows), [f"l{j}" for j in range(count)]
        columns[f"c{i}"] = pd.Categorical.from_codes(codes, names)
    columns |= {f"b{i}": generator.random(rows) < 0.3 for i in range(5)}
    for i in range(5):
        values = generator.normal(size=rows)
        columns[f"g{i}"] = np.where(generator.random(rows) < 0.1, np.nan, values)
    table = pd.DataFrame(columns)
    score = table.n0 + 0.5 * table.n1 + np.log(table.h0) - 3 + table.c4.isin(["l1", "l3", "l7"])
    score += np.nan_to_num(table.g0) + 0.5 * generator.normal(size=rows)
    return table, np.where(score > 0.8, "yes", "no")


def main() -> None:
    """Fit once, and print seconds, memory, accuracy and size."""
    rows = int(float(sys.argv[1])) if len(sys.argv) > 1 else 1_000_000
    X, y = made(rows)
    began, spent = perf_counter(), process_time()
    model = NLDTClassifier(random_state=0).fit(X, y)
    passed, used = perf_counter() - began, process_time() - spent
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    accuracy, symbols = model.score(X, y), model.tree_.complexity
    print(f"{rows:,} rows x {X.shape[1]} columns: {used:.0f} s of one processor, {passed:.0f} s")
    print(f"{memory:.1f} GB at most, accuracy {accuracy:.3f}, {symbols} symbols")


if __name__ == "__main__":
    main()
