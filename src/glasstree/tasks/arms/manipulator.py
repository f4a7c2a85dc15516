"""Planar serial manipulators: swing the tip of a hanging arm up with a motor in its last joint."""

from collections.abc import Callable
from functools import partial
from typing import Any, Literal

import gymnasium
import numpy as np

from glasstree.errors import TaskError, unknown
from glasstree.policy.arrays import Floats
from glasstree.policy.sources.plant import ARM
from glasstree.tasks.arms import chain
from glasstree.tasks.base import Environment, Task, reached
from glasstree.tasks.twins import Simulator

STEP_LIMIT = 500  # this and the starts as in docs/tasks.md
MOST_LINKS = 100  # the work of a step grows with their cube
MOST_MOTORS = 6  # each means three times as many actions
START_ANGLE = np.deg2rad(5.0)
START_SPEED = 0.5
LARGEST_ANGLE = 1e4  # a bound that no episode comes to
TORQUES = ("-tau", "0", "+tau")
Engine = Literal["compiled", "bullet"]


class ManipulatorEnv(gymnasium.Env):  # type: ignore[misc]
    """A chain of uniform rods of length 1 that hangs from the origin in the plane XZ."""

    metadata = {"render_modes": ["rgb_array"], "render_fps": 240}  # noqa: RUF012

    def __init__(
        self,
        links: int = 5,
        torque: float = 1000.0,
        height: float = 2.0,
        mass: float = 10.0,
        motors: tuple[int, ...] | None = None,
        engine: Engine = "compiled",
        render_mode: str | None = None,
    ) -> None:
        self.motors = checked_motors(links, torque, height, mass, motors)
        self.parameters = parameters(links, torque, height, mass, self.motors)
        self.links, self.torque, self.height, self.mass = links, torque, height, mass
        self.render_mode = render_mode
        bounds = np.repeat([LARGEST_ANGLE, chain.SPEED_LIMIT], links)
        self.observation_space = gymnasium.spaces.Box(-bounds, bounds, dtype=np.float64)
        self.action_space = gymnasium.spaces.Discrete(len(TORQUES) ** len(self.motors))
        self.state = np.zeros(2 * links)
        self.engine = self._bullet() if engine == "bullet" else None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Floats, dict[str, Any]]:
        """Hang the arm down, nearly at rest."""
        super().reset(seed=seed)
        self.state = start(self.np_random, self.links)
        if self.engine is not None:
            self.engine.reset(self.state)
        return self.state.copy(), {}

    def step(self, action: int) -> tuple[Floats, float, bool, bool, dict[str, Any]]:
        """Apply torques for 1/240 s."""
        if self.engine is None:
            gained, done = chain.step(self.state, int(action), np.zeros(0), self.parameters)
        else:
            self.state = self.engine.step(self.torques(int(action)))
            tip = chain.tip_height(self.state, self.links)
            gained, done = chain.reward(tip, self.height, self.links)
        return self.state.copy(), float(gained), bool(done), False, {}

    def torques(self, action: int) -> Floats:
        """Return the torque at each joint."""
        torques = np.zeros(self.links)
        for motor in self.motors:
            action, digit = divmod(action, len(TORQUES))
            torques[motor] = (digit - 1) * self.torque
        return torques

    def render(self) -> Any:
        """Draw the arm, its motors and the height to reach."""
        if self.render_mode is None:
            return None
        from glasstree.tasks.drawing import draw_arm

        return draw_arm(self.state[: self.links], self.height, self.motors)

    def close(self) -> None:
        """Release the physics engine."""
        if self.engine is not None:
            self.engine.close()
            self.engine = None

    def _bullet(self) -> Any:
        from glasstree.tasks.arms.bullet import BulletChain

        return BulletChain(self.links, self.mass)


def start(generator: np.random.Generator, links: int) -> Floats:
    """Draw small joint angles, then small joint speeds."""
    angles = generator.uniform(-START_ANGLE, START_ANGLE, links)
    return np.concatenate([angles, generator.uniform(-START_SPEED, START_SPEED, links)])


def parameters(
    links: int, torque: float, height: float, mass: float, motors: tuple[int, ...]
) -> Floats:
    """Return the parameters of the compiled chain."""
    return np.array([links, height, torque / mass, *motors], dtype=np.float64)


def checked_motors(
    links: int, torque: float, height: float, mass: float, motors: tuple[int, ...] | None
) -> tuple[int, ...]:
    """Return the joints of the motors, the last one by default, or say what makes no sense."""
    if not 1 <= links <= MOST_LINKS or not 0.0 < mass < np.inf or not 0.0 < torque < np.inf:
        raise TaskError(
            f"an arm needs from 1 to {MOST_LINKS} links, a positive mass and a positive torque, "
            f"got links={links}, mass={mass}, torque={torque}"
        )
    if not -links < height < links:
        raise TaskError(
            f"an arm of {links} links reaches between -{links} and {links}, not {height}"
        )
    chosen = (links - 1,) if motors is None else tuple(motors)
    if not chosen or len(set(chosen)) < len(chosen) or not all(0 <= m < links for m in chosen):
        raise TaskError(f"motors must be different joints from 0 to {links - 1}, got {chosen}")
    if len(chosen) > MOST_MOTORS:
        raise TaskError(f"an arm may have {MOST_MOTORS} motors, got {len(chosen)}")
    return chosen


def manipulator(
    links: int,
    torque: float = 1000.0,
    height: float = 2.0,
    mass: float = 10.0,
    motors: tuple[int, ...] | None = None,
    engine: Engine = "compiled",
    name: str | None = None,
) -> Task:
    """Return the task of swinging the tip of an arm up to a height."""
    chosen = checked_motors(links, torque, height, mass, motors)
    values = parameters(links, torque, height, mass, chosen)
    actions = [""]
    for _ in chosen:
        actions = [f"{rest} {turn}".strip() for turn in TORQUES for rest in actions]
    options = {"links": links, "torque": torque, "height": height, "mass": mass, "motors": chosen}
    simulator = Simulator(partial(start, links=links), chain.step, chain.observe, parameters=values)
    return Task(
        name=name or specification(options, engine),
        title=f"swing the tip of a {links}-link arm up to height {height:g}",
        environment=Environment(
            "glasstree/Manipulator-v0", STEP_LIMIT, {**options, "engine": engine}, extra="bullet"
        ),
        state_names=tuple(f"{what}{i + 1}" for what in ("theta", "omega") for i in range(links)),
        units=("rad",) * links + ("rad/s",) * links,
        action_names=tuple(actions),
        success=reached,
        simulator=simulator if engine == "compiled" else None,
        rules=1,
        search_steps=360_000_000,
        search_episodes=40,
        failure_cost=STEP_LIMIT,
    )


def specification(options: dict[str, Any], engine: str) -> str:
    """Format an arm as a task name that from_specification understands."""
    words = [f"{name}={value:g}" for name, value in options.items() if name != "motors"]
    words.append(f"motors={'+'.join(str(motor) for motor in options['motors'])}")
    return ARM + ",".join([*words, f"engine={engine}"])


def from_specification(text: str) -> Task:
    """Return the arm of a task name such as psm:links=7,torque=1500,motors=3+6.

    >>> from_specification("psm:links=3,height=1").n_variables
    6
    """
    options: dict[str, Any] = {}
    for word in text.removeprefix(ARM).split(","):
        name, _, value = word.partition("=")
        if name not in READERS:
            raise TaskError(f"{text!r}: {unknown('option', name, READERS)}")
        try:
            options[name] = READERS[name](value)
        except (ValueError, KeyError):
            raise TaskError(f"{text!r}: {value!r} is not a value for {name}") from None
    return manipulator(**{"links": 5, **options})


READERS: dict[str, Callable[[str], Any]] = {
    "links": int,
    "torque": float,
    "height": float,
    "mass": float,
    "motors": lambda text: tuple(int(motor) for motor in text.split("+")),
    "engine": {"compiled": "compiled", "bullet": "bullet"}.__getitem__,
}

PSM5 = manipulator(5, torque=1000.0, mass=10.0, name="psm5")
PSM10 = manipulator(10, torque=2000.0, mass=20.0, name="psm10")
