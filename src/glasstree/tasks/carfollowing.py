"""CarFollowing: keep 30 m behind a car that speeds up and slows down at random."""

import math
from typing import Any

import gymnasium
import numpy as np

from glasstree.compiled import kernel
from glasstree.policy.arrays import Floats
from glasstree.tasks.base import Environment, Task, survived
from glasstree.tasks.intervals import Interval, add, times
from glasstree.tasks.twins import ENCLOSE, OBSERVE, OBSERVE_BOX, STEP, Enclosure, Simulator

# limits of the gap are the paper's, the others are told in docs/tasks.md
TIME_STEP = 0.25
STEP_LIMIT = 800
SAFE_GAP = 30.0
START_GAP = (29.7, 30.3)
LARGEST_GAP = 150.0
SPEED_LIMIT = 32.0
# of the gap in one step, for positions up to 1e9 m
POSITION_ERROR = 1e-6


class CarFollowingEnv(gymnasium.Env):  # type: ignore[misc]
    """Two cars on a road; the rear one brakes (0) or accelerates (1) by 1 m/s2."""

    metadata = {"render_modes": ["rgb_array"], "render_fps": 20}  # noqa: RUF012

    def __init__(self, render_mode: str | None = None) -> None:
        self.render_mode = render_mode
        high = np.array([LARGEST_GAP + SPEED_LIMIT, SPEED_LIMIT, 1.0])
        low = np.array([-SPEED_LIMIT, -SPEED_LIMIT, -1.0])
        self.observation_space = gymnasium.spaces.Box(low, high, dtype=np.float64)
        self.action_space = gymnasium.spaces.Discrete(2)
        self.front = self.rear = self.front_speed = self.rear_speed = self.last = 0.0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Floats, dict[str, Any]]:
        """Stop both cars, the front one about 30 m ahead."""
        super().reset(seed=seed)
        self.front, self.last = start(self.np_random)[[0, 4]].tolist()
        self.rear = self.front_speed = self.rear_speed = 0.0
        return self._seen(), {}

    def step(self, action: int) -> tuple[Floats, float, bool, bool, dict[str, Any]]:
        """Drive on for a quarter of a second."""
        push = self.np_random.uniform(-1.0, 1.0)
        self.last = 1.0 if action == 1 else -1.0
        self.front += TIME_STEP * self.front_speed
        self.rear += TIME_STEP * self.rear_speed
        self.front_speed = min(max(self.front_speed + TIME_STEP * push, 0.0), SPEED_LIMIT)
        self.rear_speed = min(max(self.rear_speed + TIME_STEP * self.last, 0.0), SPEED_LIMIT)
        gap = self.front - self.rear
        off = abs(gap - SAFE_GAP)
        gained = 7.5 * gap if gap < SAFE_GAP else 150.0 - off + 75.0 * math.exp(-off / 30.0)
        return self._seen(), gained, not 0.0 < gap <= LARGEST_GAP, False, {}

    def render(self) -> Any:
        """Draw the road with both cars."""
        if self.render_mode is None:
            return None
        from glasstree.tasks.drawing import draw_cars

        return draw_cars(self.front, self.rear, self.rear_speed, SAFE_GAP)

    def _seen(self) -> Floats:
        return np.array([self.front - self.rear, self.front_speed - self.rear_speed, self.last])


def start(generator: np.random.Generator) -> Floats:
    """Draw front and rear position, their speeds, and the last acceleration."""
    gap = generator.uniform(*START_GAP)
    return np.array([gap, 0.0, 0.0, 0.0, float(generator.choice([-1.0, 1.0]))])


def noise(generator: np.random.Generator, steps: int) -> Floats:
    """Draw the accelerations of the front car."""
    return generator.uniform(-1.0, 1.0, size=(steps, 1))


@kernel(STEP)
def step(state: Floats, action: int, noise: Floats, parameters: Floats) -> tuple[float, bool]:
    """Advance by a quarter of a second."""
    push = 1.0 if action == 1 else -1.0
    state[0] += TIME_STEP * state[2]
    state[1] += TIME_STEP * state[3]
    state[2] = min(max(state[2] + TIME_STEP * noise[0], 0.0), SPEED_LIMIT)
    state[3] = min(max(state[3] + TIME_STEP * push, 0.0), SPEED_LIMIT)
    state[4] = push
    gap = state[0] - state[1]
    if gap < SAFE_GAP:
        reward = 7.5 * gap
    else:
        off = gap - SAFE_GAP
        reward = 150.0 - off + 75.0 * math.exp(-off / 30.0)
    return reward, gap <= 0.0 or gap > LARGEST_GAP


@kernel(OBSERVE)
def observe(state: Floats, parameters: Floats, observation: Floats) -> None:
    """Observe gap, relative velocity and the last acceleration."""
    observation[0] = state[0] - state[1]
    observation[1] = state[2] - state[3]
    observation[2] = state[4]


def reduce(states: Floats) -> Floats:
    """Return gap, relative velocity, rear speed and last acceleration of simulator states."""
    front, rear, front_speed, rear_speed, last = states.T
    return np.stack([front - rear, front_speed - rear_speed, rear_speed, last], axis=1)


@kernel(ENCLOSE)
def enclose(
    low: Floats, high: Floats, action: int, parameters: Floats, next_low: Floats, next_high: Floats
) -> int:
    """Enclose a quarter of a second; parameters[0] is the front car's largest acceleration.

    The rear car's speeds are multiples of a quarter, exactly.
    """
    gap = add(Interval(low[0], high[0]), times(TIME_STEP, Interval(low[1], high[1])))
    push = 1.0 if action == 1 else -1.0
    before = Interval(
        np.ceil(low[2] / TIME_STEP) * TIME_STEP, np.floor(high[2] / TIME_STEP) * TIME_STEP
    )
    after = Interval(
        min(max(before.low + TIME_STEP * push, 0.0), SPEED_LIMIT),
        min(max(before.high + TIME_STEP * push, 0.0), SPEED_LIMIT),
    )
    slowest = min(after.low - before.low, after.high - before.high)
    fastest = max(after.low - before.low, after.high - before.high)
    reach = TIME_STEP * parameters[0]
    relative = add(Interval(low[1], high[1]), Interval(-reach - fastest, reach - slowest))
    next_low[0, 0], next_high[0, 0] = gap.low - POSITION_ERROR, gap.high + POSITION_ERROR
    next_low[0, 1] = max(relative.low, -after.high)
    next_high[0, 1] = min(relative.high, SPEED_LIMIT - after.low)
    next_low[0, 2], next_high[0, 2] = after.low, after.high
    next_low[0, 3] = next_high[0, 3] = push
    return 1


@kernel(OBSERVE_BOX)
def observe_box(low: Floats, high: Floats, seen_low: Floats, seen_high: Floats) -> None:
    """Enclose what is observed in a box; the last acceleration is 1 or -1."""
    seen_low[0], seen_high[0] = low[0], high[0]
    seen_low[1], seen_high[1] = low[1], high[1]
    seen_low[2] = 1.0 if low[3] > -1.0 else -1.0
    seen_high[2] = -1.0 if high[3] < 1.0 else 1.0


TASK = Task(
    name="carfollowing",
    title="keep 30 m behind a car that speeds up and slows down at random",
    environment=Environment("glasstree/CarFollowing-v0", STEP_LIMIT),
    state_names=("gap", "v_rel", "a_last"),
    units=("m", "m/s", "m/s2"),
    action_names=("brake", "accelerate"),
    success=survived,
    simulator=Simulator(start, step, observe, noise),
    enclosure=Enclosure(
        low=np.array([START_GAP[0], 0.0, 0.0, -1.0]),
        high=np.array([START_GAP[1], 0.0, 0.0, 1.0]),
        step=enclose,
        observe=observe_box,
        parameters=np.array([1.0]),
        reduce=reduce,
    ),
    rules=1,
    search_steps=150_000_000,
)
