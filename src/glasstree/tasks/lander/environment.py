"""LunarLander-v3 over the compiled world: first states, engines, rewards and ends."""

import math

import numpy as np

from glasstree.compiled import kernel, nothing, real, reals, singles, truth, tuple_of
from glasstree.policy.arrays import Floats
from glasstree.tasks.lander.layout import (
    ANGLE,
    AWAKE,
    BODIES,
    BODY,
    BOX,
    BOX_MARGIN,
    COS,
    EDGE,
    EDGES,
    FAST,
    FORCE_X,
    FORCE_Y,
    GAME_OVER,
    LEG_CONTACT,
    N_EDGES,
    ONE,
    PX,
    PY,
    RADIUS,
    SHAPING,
    SIN,
    SPIN,
    STATE,
    TOP,
    VX,
    VY,
    WORLD,
    Singles,
    X,
    Y,
    single,
)
from glasstree.tasks.lander.motion import bounds, frame_at
from glasstree.tasks.lander.shapes import (
    CENTRES,
    INVERSE_INERTIA,
    INVERSE_MASS,
    LEG_AWAY,
    LEG_DOWN,
    SCALE,
)
from glasstree.tasks.lander.world import step_world
from glasstree.tasks.twins import OBSERVE, STEP

# all as in Gymnasium
RATE = 50
WIDTH, HEIGHT = 600 / SCALE, 400 / SCALE
HALF_WIDTH, HALF_HEIGHT = WIDTH / 2, HEIGHT / 2
CHUNKS = N_EDGES
PAD_HEIGHT = HEIGHT / 4
LEGS_AT = PAD_HEIGHT + LEG_DOWN / SCALE
MAIN_POWER, SIDE_POWER = 13.0, 0.6
MAIN_AT, SIDE_AWAY, SIDE_HEIGHT, SIDE_SHIFT = 4 / SCALE, 12, 14, 17
PUSH = 1000.0
NOTHING, MAIN = 0, 2
ROUNDS = np.array([180.0])  # of the velocity solver in a step, the only parameter


def ground(heights: Floats) -> Floats:
    """Return the edges (11, 4) below a landscape of 12 heights: the base line, then the ground."""
    middle = CHUNKS // 2
    heights[middle - 2 : middle + 3] = PAD_HEIGHT
    smooth = [0.33 * (heights[i - 1] + heights[i] + heights[i + 1]) for i in range(CHUNKS)]
    x = [WIDTH / (CHUNKS - 1) * i for i in range(CHUNKS)]
    edges = [(x[i], smooth[i], x[i + 1], smooth[i + 1]) for i in range(CHUNKS - 1)]
    return np.array([(0.0, 0.0, WIDTH, 0.0), *edges])


def place_body(w: Singles, body: int, x: float, y: float, angle: float) -> None:
    """Put a body where the environment makes it."""
    b, (cx, cy) = BODIES + body * BODY, CENTRES[body]
    x, y, angle = single(x), single(y), single(angle)
    s, c = (single(value) for value in frame_at(body, x, y, angle)[2:])
    w[b + BOX : b + BOX + 4] = np.array(bounds(body, x, y, s, c))
    w[b + BOX : b + BOX + 2] -= BOX_MARGIN
    w[b + BOX + 2 : b + BOX + 4] += BOX_MARGIN
    w[b + X], w[b + Y], w[b + ANGLE] = (c * cx - s * cy) + x, (s * cx + c * cy) + y, angle
    w[b + PX], w[b + PY], w[b + SIN], w[b + COS] = frame_at(body, w[b + X], w[b + Y], angle)
    w[b + AWAKE] = ONE


def start(generator: np.random.Generator) -> Floats:
    """Draw ground and first push, and let a step pass, as the environment's reset does."""
    state = np.zeros(STATE)
    w = state[WORLD:].view(np.float32)
    edges = w[EDGES : EDGES + N_EDGES * EDGE].reshape(N_EDGES, EDGE)
    edges[:, :4] = ground(generator.uniform(0, HEIGHT / 2, size=(CHUNKS + 1,)))
    edges[:, 4:6] = np.minimum(edges[:, :2], edges[:, 2:4]) - RADIUS - BOX_MARGIN
    edges[:, 6:8] = np.maximum(edges[:, :2], edges[:, 2:4]) + RADIUS + BOX_MARGIN
    w[TOP] = edges[:, 7].max()
    place_body(w, 0, HALF_WIDTH, HEIGHT, 0.0)
    w[FORCE_X] = generator.uniform(-PUSH, PUSH)
    w[FORCE_Y] = generator.uniform(-PUSH, PUSH)
    for body, side in ((1, -1), (2, 1)):
        place_body(w, body, HALF_WIDTH - side * LEG_AWAY / SCALE, HEIGHT, side * 0.05)
    step(state, NOTHING, noise(generator, 1)[0], ROUNDS)
    return state


def noise(generator: np.random.Generator, steps: int) -> Floats:
    """Draw how far the engines' jets are off."""
    return generator.uniform(-1.0, 1.0, size=(steps, 2))


@kernel(nothing(singles, real, real, real, real), **FAST)
def push_lander(w: Singles, px: float, py: float, x: float, y: float) -> None:
    """Give the lander an impulse at a point."""
    b, fx, fy = BODIES, np.float32(px), np.float32(py)
    w[b + VX] += INVERSE_MASS[0] * fx
    w[b + VY] += INVERSE_MASS[0] * fy
    turn = (np.float32(x) - w[b + X]) * fy - (np.float32(y) - w[b + Y]) * fx
    w[b + SPIN] += INVERSE_INERTIA[0] * turn


@kernel(nothing(singles, real, real, reals), **FAST)
def fire(w: Singles, main: float, side: float, noise: Floats) -> None:
    """Fire the main engine and one at a side, the left one if its power is negative."""
    angle, x, y = (
        np.float64(w[BODIES + ANGLE]),
        np.float64(w[BODIES + PX]),
        np.float64(w[BODIES + PY]),
    )
    sine, cosine = math.sin(angle), math.cos(angle)
    off0, off1 = noise[0] / SCALE, noise[1] / SCALE
    if main > 0.0:
        ox = sine * (MAIN_AT + 2 * off0) + -cosine * off1
        oy = -cosine * (MAIN_AT + 2 * off0) - sine * off1
        push_lander(w, -ox * MAIN_POWER * main, -oy * MAIN_POWER * main, x + ox, y + oy)
    if side != 0.0:
        away, power = 3 * off1 + (1 if side > 0.0 else -1) * SIDE_AWAY / SCALE, abs(side)
        ox, oy = sine * off0 + -cosine * away, -cosine * off0 - sine * away
        push_lander(
            *(w, -ox * SIDE_POWER * power, -oy * SIDE_POWER * power),
            *(x + ox - sine * SIDE_SHIFT / SCALE, y + oy + cosine * SIDE_HEIGHT / SCALE),
        )


@kernel(nothing(singles, reals), **FAST)
def sense(w: Singles, seen: Floats) -> None:
    """Fill in what the environment observes, in double precision."""
    b = BODIES
    seen[0] = (np.float64(w[b + PX]) - HALF_WIDTH) / HALF_WIDTH
    seen[1] = (np.float64(w[b + PY]) - LEGS_AT) / HALF_HEIGHT
    seen[2] = np.float64(w[b + VX]) * HALF_WIDTH / RATE
    seen[3] = np.float64(w[b + VY]) * HALF_HEIGHT / RATE
    seen[4] = w[b + ANGLE]
    seen[5] = 20.0 * np.float64(w[b + SPIN]) / RATE
    seen[6], seen[7] = w[LEG_CONTACT + 1], w[LEG_CONTACT + 2]


@kernel(tuple_of((real, truth))(reals, real, real, reals, real), **FAST)
def move(
    state: Floats, main: float, side: float, noise: Floats, rounds: float
) -> tuple[float, bool]:
    """Fire, advance by a fiftieth of a second, and reward as Gymnasium does."""
    w = state[WORLD:].view(np.float32)
    if main > 0.0 or side != 0.0:
        fire(w, main, side, noise)
    step_world(w, int(rounds))
    seen = np.empty(8)
    sense(w, seen)
    shaping = (
        -100 * math.sqrt(seen[0] * seen[0] + seen[1] * seen[1])
        - 100 * math.sqrt(seen[2] * seen[2] + seen[3] * seen[3])
        - 100 * abs(seen[4])
        + 10 * seen[6]
        + 10 * seen[7]
    )
    reward = shaping - state[SHAPING]
    state[SHAPING] = shaping
    reward -= main * 0.30
    reward -= abs(side) * 0.03
    if w[BODIES + AWAKE] == 0:
        return 100.0, True
    if w[GAME_OVER] != 0 or abs(seen[0]) >= 1.0:
        return -100.0, True
    return reward, False


@kernel(STEP, **FAST)
def step(state: Floats, action: int, noise: Floats, parameters: Floats) -> tuple[float, bool]:
    """Advance by one of LunarLander's actions: an engine at full power, or none."""
    main = 1.0 if action == MAIN else 0.0
    side = 0.0 if action in (NOTHING, MAIN) else float(action - MAIN)
    return move(state, main, side, noise, parameters[0])


@kernel(STEP, **FAST)
def step_by_level(
    state: Floats, action: int, noise: Floats, parameters: Floats
) -> tuple[float, bool]:
    """Advance by one of LunarLanderContinuous' levels: a main throttle and one to the side.

    Below 0 the main engine is off, above it has at least half of its power; one at a side is off
    up to a half.
    """
    main = min(max(float(np.float32(parameters[1 + 2 * action])), -1.0), 1.0)
    side = min(max(float(np.float32(parameters[2 + 2 * action])), -1.0), 1.0)
    power = (main + 1.0) * 0.5 if main > 0.0 else 0.0
    return move(state, power, side if abs(side) > 0.5 else 0.0, noise, parameters[0])


@kernel(OBSERVE, **FAST)
def observe(state: Floats, parameters: Floats, observation: Floats) -> None:
    """Observe in single precision, as Gymnasium does."""
    sense(state[WORLD:].view(np.float32), observation)
    for i in range(8):
        observation[i] = np.float32(observation[i])
