"""What tests of all rooms share."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings

from commands import Answer, Command
from glasstree.cli import main
from glasstree.policy import PolicyTree
from toys import small_tree

settings.register_profile(
    "glasstree", deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=40
)
settings.register_profile(
    "unshrunk", settings.get_profile("glasstree"), phases=[Phase.explicit, Phase.generate]
)
settings.load_profile("glasstree")


@pytest.fixture
def glasstree(capsys: pytest.CaptureFixture[str]) -> Command:
    """Run the command line in this process."""

    def run(*words: object) -> Answer:
        with pytest.raises(SystemExit) as leaving:
            main([str(word) for word in words])
        out, err = capsys.readouterr()
        return Answer(int(leaving.value.code or 0), out, err)

    return run


@pytest.fixture(scope="session")
def cartpole_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a finished run of CartPole by the paper's recipe, to be read only."""
    folder = tmp_path_factory.mktemp("runs") / "cartpole"
    with pytest.raises(SystemExit) as leaving:
        main(["run", "cartpole", "--recipe", "paper", "--out", str(folder), "--json"])
    assert leaving.value.code == 0
    return folder


@pytest.fixture
def tree() -> PolicyTree:
    """Two rules over two variables, one of them inside a modulus."""
    return small_tree()
