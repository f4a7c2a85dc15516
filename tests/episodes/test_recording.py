"""Films of episodes."""

import sys
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from glasstree.episodes.recording import record
from glasstree.errors import MissingExtraError, OptionError, OracleError
from glasstree.oracles import load_oracle
from glasstree.tasks import get_task


@pytest.mark.parametrize(("name", "action"), [("psm5", 2), ("carfollowing", 0), ("cartpole", 1)])
def test_film_shows_every_episode(tmp_path, name, action):
    path = tmp_path / "films" / "episode.gif"
    task = get_task(name)
    task = replace(task, environment=replace(task.environment, step_limit=40))
    rewards = record(load_oracle(lambda state: action), task, np.arange(2), path)
    with Image.open(path) as image:
        assert image.n_frames > 2
    assert len(rewards) == 2


def test_film_is_a_gif(tmp_path):
    with pytest.raises(OptionError, match=r"\.gif"):
        record(load_oracle(lambda state: 0), get_task("psm5"), np.arange(1), tmp_path / "film.mp4")


def test_film_refuses_actions_that_the_task_does_not_have(tmp_path):
    with pytest.raises(OracleError, match="action 7"):
        record(load_oracle(lambda state: 7), get_task("psm5"), np.arange(1), tmp_path / "film.gif")
    assert not list(tmp_path.iterdir())


def test_missing_pygame_names_the_install_command(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pygame", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'glasstree\[watch\]'"):
        record(load_oracle(lambda state: 0), get_task("cartpole"), np.arange(1), tmp_path / "f.gif")
