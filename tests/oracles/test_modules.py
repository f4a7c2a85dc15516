"""Modules of torch that a user has in memory are oracles."""

import numpy as np
import pytest

from glasstree.errors import OracleError
from glasstree.oracles import load_oracle
from glasstree.tasks import get_task

torch = pytest.importorskip("torch")


def states(count: int = 500) -> np.ndarray:
    return np.random.default_rng(0).uniform(-1.0, 1.0, (count, 4))


def network(outputs: int) -> "torch.nn.Module":
    torch.manual_seed(0)
    layers = (torch.nn.Linear(4, 16), torch.nn.Dropout(0.9), torch.nn.Linear(16, outputs))
    return torch.nn.Sequential(*layers)


def by_hand(module: "torch.nn.Module") -> np.ndarray:
    """What the network answers without dropout, by matrices alone."""
    first, _, last = module
    arrays = [part.detach().numpy() for part in (first.weight, first.bias, last.weight, last.bias)]
    return (states() @ arrays[0].T + arrays[1]) @ arrays[2].T + arrays[3]


def test_the_largest_output_is_the_action_and_the_module_stays_as_it_was() -> None:
    module = network(2)
    expected = by_hand(module).argmax(axis=1)
    assert module.training and set(expected.tolist()) == {0, 1}
    oracle = load_oracle(module, get_task("cartpole"))
    np.testing.assert_array_equal(oracle.actions(states()), expected)
    assert module.training


def test_of_several_outputs_the_first_counts_and_integers_are_actions() -> None:
    class Chosen(torch.nn.Module):
        def forward(self, x):  # type: ignore[no-untyped-def]
            return (x[:, 0] > 0).long(), x

    oracle = load_oracle(Chosen(), get_task("cartpole"))
    np.testing.assert_array_equal(oracle.actions(states()), states()[:, 0] > 0)


def test_the_output_is_the_vector_where_actions_are_continuous() -> None:
    module = network(3)
    oracle = load_oracle(module)
    np.testing.assert_allclose(oracle.vectors(states()), by_hand(module), atol=1e-5)  # type: ignore[attr-defined]


def test_what_is_no_oracle_is_one_sentence() -> None:
    class Pooled(torch.nn.Module):
        def forward(self, x):  # type: ignore[no-untyped-def]
            return x.mean(dim=0)

    wrong = {
        "one output an action": network(1),
        "for 500 states": Pooled(),
        "raised RuntimeError": torch.nn.Linear(3, 2),
    }
    for words, module in wrong.items():
        with pytest.raises(OracleError, match=words) as caught:
            load_oracle(module).actions(states())
        assert "\n" not in str(caught.value)


def test_a_module_is_named_as_a_function_is(tmp_path, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "my_network.py").write_text(
        "import torch\ntorch.manual_seed(3)\nactor = torch.nn.Linear(4, 2)\n"
    )
    monkeypatch.chdir(tmp_path)
    oracle = load_oracle("my_network:actor", get_task("cartpole"))
    assert set(oracle.actions(states()).tolist()) == {0, 1}
