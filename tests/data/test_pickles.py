"""A file is data: what it holds is never run."""

from pathlib import Path

import numpy as np
import pytest

from glasstree.data import Dataset
from glasstree.errors import DataError


class Touching:
    """Touches a file when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[object, tuple[Path]]:
        return Path.touch, (self.path,)


@pytest.mark.parametrize("place", ["states", "actions", "n_actions"])
def test_objects_in_a_dataset_are_not_unpickled(tmp_path: Path, place: str) -> None:
    arrays: dict[str, object] = {"states": [[1.0], [2.0]], "actions": [0, 1], "n_actions": 2}
    arrays[place] = np.array([Touching(tmp_path / "touched")], dtype=object)
    np.savez(tmp_path / "data.npz", **arrays)  # type: ignore[arg-type]
    with pytest.raises(DataError, match=r"cannot read dataset .* holds Python objects"):
        Dataset.load(tmp_path / "data.npz")
    assert not (tmp_path / "touched").exists()
