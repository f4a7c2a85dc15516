"""A table is the same in every library: its tree is, too."""

import numpy as np
import pytest

from glasstree import NLDTClassifier
from glasstree.policy.document import dumps
from glasstree.tables.frame import Column
from glasstree.tables.frames import column_of_series


def test_frames_of_every_library_give_the_same_tree() -> None:
    pandas, pyarrow = pytest.importorskip("pandas"), pytest.importorskip("pyarrow")
    generator = np.random.default_rng(0)
    table = pandas.DataFrame(
        {
            "city": generator.choice(["Rome", "Milan", "Oslo"], 200),
            "age": generator.uniform(18, 80, 200).round(),
            "member": generator.random(200) < 0.5,
            "since": pandas.Timestamp("2020-01-01")
            + pandas.to_timedelta(generator.integers(0, 900, 200), "D"),
        }
    )
    table.loc[::7, "age"] = None
    table.loc[3::11, "city"] = None
    labels = np.where((table.city == "Rome") | (table.age > 50), "yes", "no")
    others = {"pyarrow": pyarrow.Table.from_pandas(table, preserve_index=False)}
    try:
        import polars

        others["polars"] = polars.from_arrow(others["pyarrow"])
    except ImportError:
        pass
    expected = NLDTClassifier(max_depth=2, random_state=0).fit(table, labels)
    for name, frame in others.items():
        model = NLDTClassifier(max_depth=2, random_state=0).fit(frame, labels)
        assert dumps(model.tree_) == dumps(expected.tree_), name
        assert model.predict(frame).tolist() == expected.predict(table).tolist(), name


def test_distinct_words_of_pandas_make_the_column_that_single_cells_make() -> None:
    pd = pytest.importorskip("pandas")
    words = pd.Series(["b", None, "a", "b", "Ö"])
    for series in (words, words.astype("category"), pd.Series([True, False, True])):
        cells = [None if cell is None or cell != cell else str(cell) for cell in series.tolist()]
        found, expected = column_of_series(series, "x"), Column.of_texts(cells)
        assert found.levels == expected.levels
        np.testing.assert_array_equal(found.values, expected.values)
    mixed = column_of_series(pd.Series(["1", 1, True], dtype=object), "x")
    assert mixed.levels == ("1", "True")
