"""Nanoseconds a decision: the C form, the Python form, the tree itself, its oracle, scikit-learn.

    python benchmarks/inference.py [POLICY.json] [--json]

Without a policy file, runs/lunarlander/policy.json if there is one, and otherwise a stand-in of
the size of a lunarlander policy: depth 3, 7 rules of 7 exponents.
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from glasstree.errors import ToolMissingError
from glasstree.explain.runners import FLAGS, find_compiler
from glasstree.formats import export
from glasstree.oracles import NetworkOracle, load_oracle
from glasstree.policy import Leaf, Node, PolicyTree, Rule, Scaling, Split, load
from glasstree.tasks import get_task

DEFAULT = Path("runs/lunarlander/policy.json")
WANTED = 100
SECONDS = 0.5
STATES = 10_000

C_MAIN = """
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int policy(const double state[{width}]);

int main(void)
{{
    static double states[{count}][{width}];
    if (fread(states, sizeof states, 1, stdin) != 1) return 1;
    long decisions = 0, sum = 0;
    const clock_t start = clock();
    clock_t now = start;
    while (now - start < CLOCKS_PER_SEC / 2) {{
        for (int at = 0; at < {count}; at++) sum += policy(states[at]);
        decisions += {count};
        now = clock();
    }}
    printf("%.6f %ld\\n", 1e9 * (double)(now - start) / CLOCKS_PER_SEC / (double)decisions, sum);
    return 0;
}}
"""


def stand_in() -> PolicyTree:
    """Return a full tree of depth 3 whose rules have 7 exponents each."""
    task = get_task("lunarlander")
    generator = np.random.default_rng(0)

    def node(levels: int) -> Node:
        if levels == 0:
            return Leaf(int(generator.integers(task.n_actions)))
        exponents = np.zeros(3 * task.n_variables, dtype=np.int64)
        exponents[generator.choice(len(exponents), 7, replace=False)] = generator.choice(
            [-3, -2, -1, 1, 2, 3], 7
        )
        weights = generator.uniform(-1, 1, 3)
        rule = Rule(exponents.reshape(3, task.n_variables), weights, 0.0)
        middle = float(np.median(rule.value(generator.uniform(1, 2, (500, task.n_variables)))))
        return Split(Rule(rule.exponents, weights, -middle), node(levels - 1), node(levels - 1))

    limit = np.ones(task.n_variables)
    return PolicyTree(
        node(3), Scaling(-limit, limit), task.state_names, task.action_names, task.units, task.name
    )


def timed(decide: Callable[[], object], decisions: int) -> float:
    """Return nanoseconds a decision of a call that makes so many."""
    decide()
    calls, started = 0, perf_counter()
    while perf_counter() - started < SECONDS:
        decide()
        calls += 1
    return 1e9 * (perf_counter() - started) / (calls * decisions)


def one_by_one(decide: Callable[[Any], object], states: Any) -> float:
    """Return nanoseconds a decision of a function that takes one state."""
    few = list(states[:200])
    return timed(lambda: [decide(state) for state in few], len(few))


def c_form(tree: PolicyTree, states: Any, precision: str = "double") -> tuple[float, int]:
    """Return nanoseconds a decision of the compiled C form, and the bytes of its object code."""
    compiler = find_compiler()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "policy.c").write_text(str(export(tree, "c", precision=precision)))
        main = C_MAIN.format(width=tree.n_variables, count=len(states)).replace(
            "double s", f"{precision} s"
        )
        (folder / "main.c").write_text(main)
        for part in ("policy", "main"):
            words = [compiler, *FLAGS, "-c", f"{part}.c", "-o", f"{part}.o"]
            subprocess.run(words, cwd=folder, check=True)
        subprocess.run([compiler, "policy.o", "main.o", "-o", "run"], cwd=folder, check=True)
        given = states.astype(np.float64 if precision == "double" else np.float32).tobytes()
        done = subprocess.run([str(folder / "run")], input=given, capture_output=True, check=True)
        sizes = subprocess.run(["size", "policy.o"], cwd=folder, capture_output=True, check=True)
    text, data = sizes.stdout.decode().splitlines()[1].split()[:2]
    return float(done.stdout.split()[0]), int(text) + int(data)


def torch_network(oracle: NetworkOracle, states: Any) -> tuple[float, float]:
    """Return nanoseconds a decision of the oracle in torch: one at a time, and in a batch."""
    import torch

    torch.set_num_threads(1)
    activation = torch.nn.Tanh if oracle.activation == "tanh" else torch.nn.ReLU
    layers: list[Any] = []
    for weight, bias in zip(oracle.weights, oracle.biases, strict=True):
        layer = torch.nn.Linear(weight.shape[1], weight.shape[0])
        layer.weight.data = torch.tensor(weight, dtype=torch.float32)
        layer.bias.data = torch.tensor(bias, dtype=torch.float32)
        layers += [layer, activation()]
    network = torch.nn.Sequential(*layers[:-1])
    batch = torch.tensor(states, dtype=torch.float32)
    with torch.inference_mode():
        single = one_by_one(lambda state: network(state).argmax().item(), list(batch))
        return single, timed(lambda: network(batch).argmax(dim=1), len(states))


def scikit_learn_tree(tree: PolicyTree, states: Any) -> tuple[float, float]:
    """Return nanoseconds a decision of a CART of as many leaves: one at a time, and in a batch."""
    from sklearn.tree import DecisionTreeClassifier

    leaves = max(2, len(tree.leaves()))
    cart = DecisionTreeClassifier(max_leaf_nodes=leaves, random_state=0)
    cart.fit(states, tree.actions(states))
    rows = [state[np.newaxis] for state in states[:200]]
    return one_by_one(cart.predict, rows), timed(lambda: cart.predict(states), len(states))


def measure(tree: PolicyTree, oracle: NetworkOracle) -> dict[str, float]:
    """Return nanoseconds a decision of every form, and the size of the C form."""
    generator = np.random.default_rng(0)
    states = generator.uniform(
        tree.scaling.minimum, tree.scaling.maximum, (STATES, tree.n_variables)
    )
    found: dict[str, float] = {}
    try:
        found["C, double"], found["C object code, bytes"] = c_form(tree, states)
        found["C, float"], _ = c_form(tree, states, "float")
    except (ToolMissingError, OSError) as error:
        print(f"left out: {error}", file=sys.stderr)
    space: dict[str, Any] = {}
    exec(compile(str(export(tree, "python")), "policy.py", "exec"), space)
    found["Python form"] = one_by_one(space["policy"], states.tolist())
    found["tree.actions, batch"] = timed(lambda: tree.actions(states), STATES)
    found["oracle in numpy"] = one_by_one(lambda state: oracle.actions(state[np.newaxis]), states)
    found["oracle in numpy, batch"] = timed(lambda: oracle.actions(states), STATES)
    try:
        found["oracle in torch"], found["oracle in torch, batch"] = torch_network(oracle, states)
    except ImportError:
        print("left out: torch is not installed", file=sys.stderr)
    cart = scikit_learn_tree(tree, states)
    found["scikit-learn tree"], found["scikit-learn tree, batch"] = cart
    return found


def main() -> int:
    """Measure all forms in one run and print a table, or JSON."""
    words = [word for word in sys.argv[1:] if word != "--json"]
    file = Path(words[0]) if words else DEFAULT
    known = bool(words) or file.exists()
    tree = load(file) if known else stand_in()
    oracle = load_oracle(tree.task if tree.task is not None else "lunarlander")
    if not isinstance(oracle, NetworkOracle):
        print("the oracle of this task is not a network", file=sys.stderr)
        return 2
    found = measure(tree, oracle)
    ratio = found.get("oracle in torch", 0.0) / found.get("C, double", float("inf"))
    name = str(file) if known else "stand-in"
    if "--json" in sys.argv:
        layers = list(oracle.layers)
        print(json.dumps({"policy": name, "layers": layers, **found, "torch_over_c": ratio}))
    else:
        shape = "-".join(map(str, oracle.layers))
        print(f"{name}: {tree.n_rules} rules of {tree.rule_length:.1f}; oracle {shape}")
        for form, value in found.items():
            print(f"  {form:<26}{value:>12,.1f}{'' if 'bytes' in form else ' ns'}")
        print(f"  torch over C: {ratio:,.0f} (wanted: at least {WANTED})")
    return 0 if ratio >= WANTED or "oracle in torch" not in found else 1


if __name__ == "__main__":
    sys.exit(main())
