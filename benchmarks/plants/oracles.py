"""Black boxes for environments of others, as users have them: plain functions of one state.

Each is named on the command line as benchmarks.plants.oracles:taxi and so on.
"""

from collections import deque
from functools import cache

import gymnasium
import numpy as np

from glasstree.oracles import load_oracle
from glasstree.tasks.own.readings import taxi as taxi_layout

DISCOUNT = 0.999
# main and side engine, for nothing, left, main and right
THROTTLES = np.array([[0.0, 0.0], [0.0, -1.0], [1.0, 0.0], [0.0, 1.0]])
SWEEPS = 2000


@cache
def best_actions(name, **options):
    """Solve an environment that tells its transitions; return the best action of each state."""
    table = gymnasium.make(name, **options).unwrapped.P
    states, actions = len(table), len(table[0])
    values = np.zeros(states)
    for _ in range(SWEEPS):
        worth = np.array([[_worth(table[s][a], values) for a in range(actions)] for s in table])
        if np.abs(worth.max(axis=1) - values).max() < 1e-9:
            break
        values = worth.max(axis=1)
    # of equally good actions the first, whatever the last digits are
    return np.round(worth, 6).argmax(axis=1)


def _worth(outcomes, values):
    return sum(
        chance * (reward + DISCOUNT * values[state] * (not ended))
        for chance, state, reward, ended in outcomes
    )


def taxi(state):
    """Taxi-v4: the quickest way to the passenger, then to where it wants to."""
    return best_actions("Taxi-v4")[taxi_layout().batch(state[np.newaxis])[0]]


def frozenlake(state):
    """FrozenLake-v1, which is slippery: the action that most often ends at the goal."""
    return best_actions("FrozenLake-v1")[int(4 * state[0] + state[1])]


def frozenlake8x8(state):
    """FrozenLake8x8-v1, which is slippery: the action that most often ends at the goal."""
    return best_actions("FrozenLake8x8-v1")[int(8 * state[0] + state[1])]


def cliffwalking(state):
    """CliffWalking-v1: the shortest way along the cliff."""
    return best_actions("CliffWalking-v1")[int(12 * state[0] + state[1])]


def cliffwalking_slippery(state):
    """CliffWalkingSlippery-v1: away from the cliff first."""
    return best_actions("CliffWalkingSlippery-v1")[int(12 * state[0] + state[1])]


def blackjack(state):
    """Blackjack-v1: the basic strategy of stick and hit."""
    player, dealer, ace = state
    if ace:
        return int(player < 18 or (player == 18 and dealer in (1, 9, 10)))
    if player >= 17 or (13 <= player <= 16 and 2 <= dealer <= 6):
        return 0
    return int(not (player == 12 and 4 <= dealer <= 6))


def throttles(states):
    """LunarLanderContinuous-v3: the network of lunarlander, with throttles full or off."""
    return THROTTLES[load_oracle("lunarlander").actions(states)]


def highway(state):
    """highway-fast-v0: overtake where a lane is free, slow down where none is.

    Rows are presence, x, y, vx, vy of this car and of four others relative to it, in shares of
    100 m and of four lanes; actions are left, idle, right, faster, slower.
    """
    rows = state.reshape(5, 5)
    others = rows[1:][rows[1:, 0] > 0]
    lane = round(rows[0, 2] * 4)

    def gap(change):
        """Return how far ahead the next car of a lane is; none if one is beside this."""
        there = others[np.abs(others[:, 2] - 0.25 * change) < 0.125]
        if change and (np.abs(there[:, 1]) < 0.1).any():
            return 0.0
        return min(there[there[:, 1] > 0, 1], default=1.0)

    if gap(0) > 0.25:
        return 3 if rows[0, 3] < 0.3 and gap(0) > 0.4 else 1
    for change, action in ((1, 2), (-1, 0)):
        if 0 <= lane + change <= 3 and gap(change) > gap(0) + 0.05:
            return action
    return 4


def inverted_pendulum(state):
    """InvertedPendulum-v5: push the cart after the falling pole, and slowly back to the middle."""
    slider, hinge, slider_speed, hinge_speed = state
    return np.clip([0.5 * slider + 6.0 * hinge + 0.8 * slider_speed + 1.2 * hinge_speed], -3.0, 3.0)


def reacher(state):
    """Reacher-v5: pull the finger to the target by the transposed Jacobian, and damp."""
    first = np.arctan2(state[2], state[0])
    both = first + np.arctan2(state[3], state[1])
    upper, lower = 0.1, 0.11
    far = lower * np.array([-np.sin(both), np.cos(both)])
    near = far + upper * np.array([-np.sin(first), np.cos(first)])
    miss = state[8:10]
    return np.clip(-20.0 * np.array([near @ miss, far @ miss]) - 0.07 * state[6:8], -1.0, 1.0)


EMPTY, WALL, DOOR, KEY, GOAL, OPEN, LOCKED = 1, 2, 4, 5, 8, 0, 2
LEFT, RIGHT, FORWARD, PICK_UP, TOGGLE = 0, 1, 2, 3, 5


def minigrid(state):
    """MiniGrid: the shortest way, in what is seen, to the key, the door and the goal.

    The view is 7 x 7 cells of (object, colour, state), the agent in the middle of the last row and
    looking up; without anything to go to it walks along the walls.
    """
    # the direction comes first, the view after it
    view = state[1:].reshape(7, 7, 3)
    kinds, states = view[..., 0].astype(int), view[..., 2].astype(int)
    carries = kinds[3, 6] == KEY
    wanted = [GOAL] if carries else [GOAL, KEY]
    for kind in wanted:
        action = _towards(kinds, states, kind)
        if action is not None:
            return action
    action = _towards(kinds, states, DOOR)
    if action is not None:
        return action
    return FORWARD if kinds[3, 5] == EMPTY else RIGHT


def _towards(kinds, states, wanted):
    """Return the first action of the shortest way to a kind of cell, None if there is no way."""
    start = (3, 6, 0)
    seen, waiting = {start: None}, deque([start])
    while waiting:
        place = waiting.popleft()
        x, y, looks = place
        dx, dy = ((0, -1), (1, 0), (0, 1), (-1, 0))[looks]
        ahead = (x + dx, y + dy)
        inside = 0 <= ahead[0] < 7 and 0 <= ahead[1] < 7
        if inside and kinds[ahead] == wanted:
            return seen[place] if seen[place] is not None else _act(kinds, states, ahead, wanted)
        moves = [((x, y, (looks - 1) % 4), LEFT), ((x, y, (looks + 1) % 4), RIGHT)]
        if inside and (kinds[ahead] == EMPTY or (kinds[ahead] == DOOR and states[ahead] == OPEN)):
            moves.insert(0, ((*ahead, looks), FORWARD))
        for after, action in moves:
            if after not in seen:
                seen[after] = action if seen[place] is None else seen[place]
                waiting.append(after)
    return None


def _act(kinds, states, ahead, wanted):
    if wanted == KEY:
        return PICK_UP
    if wanted == DOOR and states[ahead] != OPEN:
        return TOGGLE
    return FORWARD
