"""What tests of all packages share."""

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
    "unshrunk",
    settings.get_profile("glasstree"),
    phases=[Phase.explicit, Phase.generate],
    derandomize=True,
    database=None,
)
settings.load_profile("glasstree")

# what is made once and only read, or is dear: one worker has all tests that use it
SHARED = ("cartpole_run", "browser")
# clusters on this machine would take each other's ports
CLUSTERS = ("test_clusters.py", "test_engines.py")
# what takes longest begins first, so that the workers end together
LONG = ("clusters", "test_reproduction.py", "cartpole_run", "browser", "test_peers.py")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give parallel workers whole files, so that no fixture of a file is made twice."""
    ranks = {}
    for item in items:
        used = getattr(item, "fixturenames", ())
        file = "clusters" if item.path.name in CLUSTERS else item.path.name
        group = next((name for name in SHARED if name in used), file)
        item.add_marker(pytest.mark.xdist_group(group))
        ranks[item] = LONG.index(group) if group in LONG else len(LONG)
    items.sort(key=ranks.__getitem__)


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
