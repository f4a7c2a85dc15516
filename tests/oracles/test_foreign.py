"""Stable-Baselines3 and ONNX oracles give Stable-Baselines3's own actions."""

import json
import sys

import numpy as np
import pytest

from glasstree.errors import MissingExtraError, OracleError
from glasstree.oracles import load_oracle
from glasstree.tasks import get_task

onnx = pytest.importorskip("onnx")
sb3 = pytest.importorskip("stable_baselines3")
pytest.importorskip("onnxruntime")

OPSET = 17


@pytest.fixture(scope="module")
def model():
    return sb3.PPO("MlpPolicy", "CartPole-v1", n_steps=64, seed=0, device="cpu").learn(128)


@pytest.fixture(scope="module")
def saved(model, tmp_path_factory):
    path = tmp_path_factory.mktemp("sb3") / "model.zip"
    model.save(path)
    return path


@pytest.fixture(scope="module")
def exported(model, tmp_path_factory):
    path = tmp_path_factory.mktemp("onnx") / "model.onnx"
    write_onnx(model.policy, path)
    return path


@pytest.fixture(scope="module")
def states():
    return np.random.default_rng(0).normal(scale=[1.0, 1.0, 0.1, 1.0], size=(10_000, 4))


def write_onnx(policy, path, rows="n", end="values"):
    helper, floats = onnx.helper, onnx.TensorProto.FLOAT
    layers = [*policy.mlp_extractor.policy_net[::2], policy.action_net]
    nodes, constants, signal = [], [], "states"
    for number, layer in enumerate(layers):
        for name, value in (("w", layer.weight), ("b", layer.bias)):
            array = value.detach().numpy()
            constants.append(onnx.numpy_helper.from_array(array, f"{name}{number}"))
        inputs = [signal, f"w{number}", f"b{number}"]
        last = number == len(layers) - 1
        nodes.append(
            helper.make_node("Gemm", inputs, ["values" if last else f"g{number}"], transB=1)
        )
        if not last:
            nodes.append(helper.make_node("Tanh", [f"g{number}"], [f"t{number}"]))
        signal = f"t{number}"
    output = helper.make_tensor_value_info("values", floats, [rows, 2])
    if end == "actions":
        nodes.append(helper.make_node("ArgMax", ["values"], ["actions"], axis=1, keepdims=0))
        output = helper.make_tensor_value_info("actions", onnx.TensorProto.INT64, [rows])
    states = helper.make_tensor_value_info("states", floats, [rows, 4])
    graph = helper.make_graph(nodes, "policy", [states], [output], constants)
    opset = helper.make_opsetid("", OPSET)
    onnx.save(helper.make_model(graph, opset_imports=[opset], ir_version=9), path)


def test_sb3_file_gives_its_own_actions(model, saved, states):
    oracle = load_oracle(saved, get_task("cartpole"), trust=True)
    expected, _ = model.predict(states.astype(np.float32), deterministic=True)
    np.testing.assert_array_equal(oracle.actions(states), expected)
    preferences = oracle.preferences(states)
    assert oracle.meaning == "probabilities"
    np.testing.assert_allclose(preferences.sum(axis=1), 1.0, atol=1e-6)
    assert 0 < expected.mean() < 1


def test_loading_a_seeded_model_does_not_seed_the_process(saved):
    np.random.seed(123)  # noqa: NPY002
    load_oracle(saved, trust=True)
    drawn = np.random.rand(3).tolist()  # noqa: NPY002
    assert drawn == np.random.RandomState(123).rand(3).tolist()


@pytest.mark.parametrize(("rows", "end"), [("n", "values"), ("n", "actions"), (1, "values")])
def test_onnx_network_gives_the_same_actions(model, states, tmp_path, rows, end):
    write_onnx(model.policy, tmp_path / "model.onnx", rows, end)
    oracle = load_oracle(tmp_path / "model.onnx", get_task("cartpole"))
    expected, _ = model.predict(states.astype(np.float32), deterministic=True)
    np.testing.assert_array_equal(oracle.actions(states), expected)
    assert (oracle.preferences(states[:5]) is None) == (end == "actions")
    assert (oracle.meaning is None) == (end == "actions")


def test_dqn_file_tells_values(tmp_path, states):
    model = sb3.DQN("MlpPolicy", "CartPole-v1", buffer_size=100, seed=0, device="cpu")
    model.save(tmp_path / "dqn.zip")
    oracle = load_oracle(tmp_path / "dqn.zip", trust=True)
    assert oracle.meaning == "values"
    values = oracle.preferences(states[:100])
    np.testing.assert_array_equal(values.argmax(axis=1), oracle.actions(states[:100]))


def test_command_line_scores_both_alike(glasstree, saved, exported):
    words = ("--task", "cartpole", "--episodes", 50, "--json")
    first = json.loads(glasstree("evaluate", "--oracle", saved, "--trust", *words).out)
    second = json.loads(glasstree("evaluate", "--oracle", exported, *words).out)
    assert first["episodes"] == 50
    assert first["mean_reward"] == second["mean_reward"]


def test_sb3_file_is_refused_without_trust(glasstree, saved):
    answer = glasstree("evaluate", "--oracle", saved, "--task", "cartpole", "--json")
    assert answer.code == 2 and answer.out == ""
    assert "runs code" in answer.sentence and "--trust" in answer.sentence


def test_foreign_files_are_told(tmp_path, model):
    (tmp_path / "text.zip").write_text("hello")
    (tmp_path / "text.onnx").write_text("hello")
    for name in ("text.zip", "absent.zip", "text.onnx", "absent.onnx"):
        with pytest.raises(OracleError):
            load_oracle(tmp_path / name, trust=True)


@pytest.mark.parametrize(
    ("absent", "extra"), [("stable_baselines3", "oracles"), ("onnxruntime", "onnx")]
)
def test_missing_extras_name_the_install_command(saved, exported, monkeypatch, absent, extra):
    monkeypatch.setitem(sys.modules, absent, None)
    path = saved if extra == "oracles" else exported
    with pytest.raises(MissingExtraError, match=rf"pip install 'glasstree\[{extra}\]'"):
        load_oracle(path, trust=True)


def test_a_network_of_one_column_is_no_oracle_for_several_actions(tmp_path, states):
    helper, floats = onnx.helper, onnx.TensorProto.FLOAT
    weights = onnx.numpy_helper.from_array(np.ones((4, 1), dtype=np.float32), "w")
    node = helper.make_node("MatMul", ["states", "w"], ["torque"])
    for width in (1, "width"):
        output = helper.make_tensor_value_info("torque", floats, ["n", width])
        seen = helper.make_tensor_value_info("states", floats, ["n", 4])
        graph = helper.make_graph([node], "actor", [seen], [output], [weights])
        opset = helper.make_opsetid("", OPSET)
        path = tmp_path / f"{width}.onnx"
        onnx.save(helper.make_model(graph, opset_imports=[opset], ir_version=9), path)
        with pytest.raises(OracleError, match="one output"):
            load_oracle(path, get_task("cartpole")).actions(states[:5])
        with pytest.raises(OracleError, match="one output"):
            load_oracle(path).actions(states[:5])
