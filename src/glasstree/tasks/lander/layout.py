"""Where everything stands in the lander's state, and the settings of Box2D.

The state is one vector of doubles. The first is the shaping of the last reward; the others hold the
world, two single precision numbers in each, which kernels see through a view of singles.
"""

from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

Singles = NDArray[np.float32]
FAST: dict[str, Any] = {"error_model": "numpy"}
INLINED: dict[str, Any] = {**FAST, "inline": "always"}


def single(value: float) -> float:
    """Round to single precision, and keep the type, so that kernels calculate in it."""
    return cast(float, np.float32(value))


# numbers in single precision, and the settings of Box2D and Gymnasium
ZERO, ONE, TWO, HALF = single(0.0), single(1.0), single(2.0), single(0.5)
EPSILON = cast(float, np.finfo(np.float32).eps)
HUGE = cast(float, np.finfo(np.float32).max)
PI = single(3.14159265359)
TIME_STEP = single(1.0 / 50.0)
GRAVITY = single(-10.0)
POSITION_ROUNDS, IMPACT_POSITION_ROUNDS = 60, 20
LINEAR_SLOP = single(0.005)
ANGULAR_SLOP = TWO / single(180.0) * PI
RADIUS = TWO * LINEAR_SLOP  # the skin of polygons and edges
LARGEST_CORRECTION = single(0.2)
LARGEST_TURN_CORRECTION = single(8.0) / single(180.0) * PI
LARGEST_MOVE, LARGEST_TURN = TWO, HALF * PI  # in one step
BAUMGARTE, IMPACT_BAUMGARTE = single(0.2), single(0.75)
TIME_TO_SLEEP = HALF
SLEEP_SPEED, SLEEP_TURN = single(0.01), TWO / single(180.0) * PI
BOX_MARGIN, BOX_AHEAD = single(0.1), TWO
MOST_IMPACTS = 8  # of one contact in one step

# Of the world, at its start.
GAME_OVER, LEG_CONTACT = 0, 0  # the lander's flag, then the legs'
N_CONTACTS, MOON_TIME, FORCE_X, FORCE_Y, TOP = 3, 4, 5, 6, 7
HEAD = 8

# Bodies: lander, the left leg, the right leg.
BODIES, BODY = HEAD, 20
X, Y, ANGLE = 0, 1, 2  # the centre of mass at the end of the step
X0, Y0, ANGLE0 = 3, 4, 5  # at its beginning
VX, VY, SPIN = 6, 7, 8
PX, PY, SIN, COS = 9, 10, 11, 12  # the body's frame
TIME, STILL, AWAKE = 13, 14, 15
BOX = 16  # lowest x, lowest y, highest x, highest y of the fat box of the broad phase

# Joints: one per leg.
JOINTS, JOINT = BODIES + 3 * BODY, 24
JX, JY, JZ, MOTOR, LIMIT = 0, 1, 2, 3, 4  # impulses, and which limit is active
ARMS, MATRIX, INVERSE = 5, 9, 15  # of the present step alone
FREE, AT_LOWER, AT_UPPER = 0, 1, 2

# The ground: a base line and ten edges, each x1, y1, x2, y2 and its fat box.
EDGES, EDGE = JOINTS + 2 * JOINT, 8
N_EDGES = 11

# Contacts, the newest first.
CONTACTS, CONTACT = EDGES + N_EDGES * EDGE, 24
CAPACITY = 3 * N_EDGES
ON_EDGE, OF_BODY, TOUCHING, ENABLED, FACE, COUNT = 0, 1, 2, 3, 4, 5
NORMAL, REFERENCE, POINTS = 6, 8, 10
POINT, AT, PUSH, RUB, KEY = 5, 0, 2, 3, 4  # a point of a manifold: place, impulses, name
IMPACT, IMPACT_KNOWN, IMPACTS = 20, 21, 22
FACE_OF_EDGE, FACE_OF_BODY = 0, 1

# Constraints of the contacts of the present island.
LIMITS, CONSTRAINT = CONTACTS + CAPACITY * CONTACT, 24
WHICH, BODY_OF, N, FRICTION, HOW_MANY = 0, 1, 2, 4, 5
FIRST, SPOT = 6, 6
ARM, NORMAL_MASS, TANGENT_MASS, PRESS, DRAG = 0, 2, 3, 4, 5
STIFF, SOFT = 18, 21  # the two points' matrix and its inverse

# Room to calculate: a polygon's corners and normals, a simplex, what repeats in a solver's rounds.
POLYGON, CORNER = LIMITS + CAPACITY * CONSTRAINT, 4
SIMPLEX, VERTEX = POLYGON + 6 * CORNER, 9
ON_A, ON_B, APART, SHARE, INDEX_A, INDEX_B = 0, 2, 4, 6, 7, 8
METRIC, N_VERTICES = SIMPLEX + 3 * VERTEX, SIMPLEX + 3 * VERTEX + 1
SEEN = N_VERTICES + 1
PULLS = SEEN + 9 + 2 * 2 + 4 * CAPACITY  # of both joints in the last rounds
LAST_ROUNDS = 16
SIZE = PULLS + 4 * LAST_ROUNDS
SHAPING, WORLD = 0, 1
STATE = WORLD + (SIZE + 1) // 2
