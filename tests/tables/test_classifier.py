"""The classifier learns from what tables hold, and says its rules in their terms."""

from datetime import date, timedelta
from pathlib import Path

import numpy as np
import pytest

from glasstree import NLDTClassifier, to_text
from glasstree.errors import DataError
from glasstree.formats import export
from glasstree.policy import Leaf, PolicyTree, Rule, Scaling, Split, load, save
from glasstree.policy.sources.encoding import Encoding, Source
from glasstree.tables import Column, Frame

ROWS = 400
CITIES = np.array(["Rome", "Milan", "Oslo", "Lima", "Paris"])


def frame_of(**columns: object) -> Frame:
    """Make a frame of arrays of numbers and of words."""
    made = {}
    for name, cells in columns.items():
        values = np.asarray(cells)
        words = values.dtype.kind in "UO"
        made[name] = Column.of_texts(values.tolist()) if words else Column("number", values)
    return Frame(made)


def drawn(seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Draw cities and ages."""
    generator = np.random.default_rng(seed)
    return generator.choice(CITIES, ROWS), generator.uniform(18, 80, ROWS)


def test_a_set_of_cities_is_a_rule_and_stays_one_in_its_file(tmp_path: Path) -> None:
    city, age = drawn()
    labels = np.where(np.isin(city, ["Rome", "Milan"]), "yes", "no")
    model = NLDTClassifier(random_state=0).fit(frame_of(city=city, age=age), labels)
    assert to_text(model.tree_).startswith("if city in {Milan, Rome}:    # node 0\n    yes\n")
    assert model.tree_.n_rules == 1
    save(model.tree_, tmp_path / "rules.json")
    assert load(tmp_path / "rules.json") == model.tree_
    new = frame_of(city=["Rome", "Atlantis", None])
    assert model.predict(new).tolist() == ["yes", "no", "no"]


def test_sets_are_found_where_they_matter_below_other_rules() -> None:
    city, age = drawn()
    labels = np.where((age < 30) == np.isin(city, ["Oslo", "Lima"]), "yes", "no")
    frame = frame_of(city=city, age=age)
    model = NLDTClassifier(random_state=0).fit(frame, labels)
    assert model.score(frame, labels) > 0.97


@pytest.mark.parametrize("unknown_says", ["young", "old"])
def test_unknown_cells_take_the_side_that_they_tell_of(unknown_says: str) -> None:
    _, age = drawn()
    labels = np.where(age < 40, "young", "old")
    age[::7] = np.nan
    labels[::7] = unknown_says
    frame = frame_of(age=age)
    model = NLDTClassifier(max_depth=1, random_state=0).fit(frame, labels)
    assert model.score(frame, labels) == 1.0
    first = to_text(model.tree_).splitlines()[0].partition(":")[0]
    assert first.startswith(("if age <= ", "if age >= "))
    goes_left = (unknown_says == "young") == ("<=" in first)
    assert first.endswith(" or unknown") == goes_left
    assert model.predict(frame_of(age=[np.nan])).tolist() == [unknown_says]


def test_longer_rules_say_what_unknown_counts_as() -> None:
    encoding = Encoding((Source("a", unknown=-0.5), Source("b", unknown=0.5)), gaps=("a",))
    rule = Rule([[1, 0], [0, 1]], [1.0, -2.0], 0.0, raw=True)
    root = Split(rule, Leaf(0), Leaf(1))
    names = (encoding.names, ("no", "yes"))
    text = to_text(PolicyTree(root, Scaling([0.0, 0.0], [1.0, 1.0]), *names, encoding=encoding))
    assert text.splitlines()[-1] == "unknown counts as: a -0.5"


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_frames_of_all_libraries_give_the_same_tree(library: str) -> None:
    frames = pytest.importorskip(library, reason=f"{library} is not installed")
    city, age = drawn()
    labels = np.where(np.isin(city, ["Rome", "Milan"]) & (age > 40), "yes", "no")
    cells = {"city": city.tolist(), "age": age.tolist(), "member": (age > 60).tolist()}
    cells["city"][3], cells["age"][5] = None, None
    made = frames.table(cells) if library == "pyarrow" else frames.DataFrame(cells)
    model = NLDTClassifier(random_state=0).fit(made, labels)
    own = frame_of(
        city=np.array(cells["city"], dtype=object), age=np.where(age == age[5], np.nan, age)
    )
    own.columns["member"] = Column.of_texts([str(cell) for cell in cells["member"]])
    assert model.tree_ == NLDTClassifier(random_state=0).fit(own, labels).tree_
    assert (model.predict(made) == labels).mean() > 0.97


def test_dates_are_read_by_weekday_and_written_as_dates() -> None:
    days = np.arange(18_000.0, 18_000.0 + ROWS)
    frame = Frame({"day": Column("date", days)})
    weekend = np.where(frame.columns["day"].part("weekday").values >= 5, "rest", "work")
    model = NLDTClassifier(random_state=0).fit(frame, weekend)
    assert to_text(model.tree_).startswith("if day.weekday in {Sat, Sun}:")
    later = np.where(days > 18_100, "late", "early")
    model = NLDTClassifier(random_state=0).fit(frame, later)
    assert model.score(frame, later) == 1.0
    assert to_text(model.tree_).startswith("if day <= 2019-07-2")


def test_words_that_are_all_different_are_no_obstacle() -> None:
    _, age = drawn()
    labels = np.where(age < 40, "young", "old")
    names = [f"person {row}" for row in range(ROWS)]
    model = NLDTClassifier(random_state=0).fit(frame_of(name=names, age=age), labels)
    assert model.tree_.encoding is not None
    assert model.tree_.encoding.columns == ("age",)


def test_tables_of_words_alone_without_a_rule_are_a_leaf() -> None:
    labels = np.where(np.arange(ROWS) % 2 == 0, "a", "b")
    frame = frame_of(name=[f"person {row}" for row in range(ROWS)])
    assert len(set(NLDTClassifier(random_state=0).fit(frame, labels).predict(frame))) == 1


def test_bad_questions_are_refused_in_words() -> None:
    city, age = drawn()
    labels = np.where(np.isin(city, ["Rome", "Milan"]), "yes", "no")
    frame = frame_of(city=city, age=age)
    model = NLDTClassifier(random_state=0).fit(frame, labels)
    with pytest.raises(DataError, match="no column 'city'"):
        model.predict(frame.only(["age"]))
    with pytest.raises(DataError, match="give a data frame"):
        model.predict([[1.0, 2.0]])
    with pytest.raises(DataError, match="row 3 has no label"):
        NLDTClassifier().fit(frame, [*labels[:2], "", *labels[3:]])
    numbers = frame_of(city=np.ones(ROWS))
    assert set(model.predict(numbers)) == {"no"}


def test_the_python_form_reads_rows() -> None:
    city, age = drawn()
    days = np.arange(18_000.0, 18_000.0 + ROWS)
    frame = frame_of(city=city, age=np.where(np.arange(ROWS) % 9 == 0, np.nan, age))
    frame.columns["day"] = Column("date", days)
    weekend = frame.columns["day"].part("weekday").values >= 5
    labels = np.where(weekend & np.isin(city, ["Rome", "Milan"]) | (age > 70), "yes", "no")
    model = NLDTClassifier(max_depth=3, random_state=0).fit(frame, labels)
    assert model.tree_.encoding is not None
    assert {source.kind for source in model.tree_.encoding.sources} >= {"set", "number"}
    space: dict[str, object] = {}
    exec(str(export(model.tree_, "python")), space)
    wanted = model.predict(frame)
    for row in range(ROWS):
        moment = date(1970, 1, 1) + timedelta(days=int(days[row]))
        cells = {"city": str(city[row]), "age": frame.columns["age"].values[row], "day": moment}
        assert space["predicted"](cells) == wanted[row]  # type: ignore[operator]
