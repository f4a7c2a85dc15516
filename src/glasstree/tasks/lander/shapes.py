"""The bodies as Box2D makes them: vertices, normals, masses, all in single precision."""

import numpy as np

from glasstree.tasks.lander.layout import HALF, ONE, Singles, single

# all as in Gymnasium
SCALE = 30.0
LANDER = ((17, -10), (17, 0), (14, 17), (-14, 17), (-17, 0), (-17, -10))
LEG = ((-2, -8), (2, -8), (2, 8), (-2, 8))
LEG_AWAY, LEG_DOWN = 20, 18
LANDER_DENSITY, LEG_DENSITY = single(5.0), single(1.0)
LANDER_FRICTION, LEG_FRICTION = single(0.1), single(0.2)
GROUND_FRICTION, BASE_FRICTION = single(0.1), single(0.2)


def corners(points: tuple[tuple[int, int], ...]) -> Singles:
    """Return corners (n, 2) in metres."""
    return np.array([[x / SCALE, y / SCALE] for x, y in points], dtype=np.float32)


def outward(vertices: Singles) -> Singles:
    """Return the unit normals (n, 2) of the sides that begin at each corner."""
    normals = np.zeros_like(vertices)
    for i, start in enumerate(vertices):
        side = vertices[(i + 1) % len(vertices)] - start
        normal = np.array([side[1], -side[0]], dtype=np.float32)
        length = np.sqrt(normal[0] * normal[0] + normal[1] * normal[1])
        normals[i] = normal * (ONE / length)
    return normals


def mass_of(vertices: Singles, density: float) -> tuple[float, Singles, float]:
    """Return mass, centre, and inertia about the centre, summed over triangles as Box2D does."""
    third, none = ONE / single(3.0), np.zeros(2, dtype=np.float32)
    middle, centre = none.copy(), none.copy()
    area, inertia = single(0.0), single(0.0)
    for vertex in vertices:
        middle += vertex
    middle *= ONE / single(len(vertices))
    for i, vertex in enumerate(vertices):
        a, b = vertex - middle, vertices[(i + 1) % len(vertices)] - middle
        cross = a[0] * b[1] - a[1] * b[0]
        triangle = HALF * cross
        area += triangle
        centre += triangle * third * (a + b)
        squares = a * a + b * a + b * b
        inertia += single(0.25) * third * cross * (squares[0] + squares[1])
    mass = density * area
    centre *= ONE / area
    shifted = centre + middle
    inertia = density * inertia + mass * (_square(shifted) - _square(centre))
    balanced = mass * shifted * (ONE / mass)
    return mass, balanced, inertia - mass * _square(balanced)


def _square(vector: Singles) -> float:
    x, y = vector
    length: float = x * x + y * y
    return length


def centroid(vertices: Singles) -> Singles:
    """Return the centre that decides on which side of an edge a polygon lies."""
    centre, area, third = np.zeros(2, dtype=np.float32), single(0.0), ONE / single(3.0)
    for i, a in enumerate(vertices):
        b = vertices[(i + 1) % len(vertices)]
        triangle = HALF * (a[0] * b[1] - a[1] * b[0])
        area += triangle
        centre += triangle * third * (a + b)
    return centre * (ONE / area)


HULL, BAR = corners(LANDER), corners(LEG)
N_CORNERS = np.array([len(HULL), len(BAR), len(BAR)])
VERTICES = np.zeros((3, len(HULL), 2), dtype=np.float32)
NORMALS = np.zeros_like(VERTICES)
for body, shape in enumerate((HULL, BAR, BAR)):
    VERTICES[body, : len(shape)], NORMALS[body, : len(shape)] = shape, outward(shape)
CENTROIDS = np.array([centroid(HULL), (0.0, 0.0), (0.0, 0.0)], dtype=np.float32)
MASSES = (mass_of(HULL, LANDER_DENSITY), mass_of(BAR, LEG_DENSITY), mass_of(BAR, LEG_DENSITY))
INVERSE_MASS = np.array([ONE / mass for mass, _, _ in MASSES], dtype=np.float32)
INVERSE_INERTIA = np.array([ONE / inertia for _, _, inertia in MASSES], dtype=np.float32)
CENTRES = np.array([centre for _, centre, _ in MASSES], dtype=np.float32)
# row: base line or ground; column: body
FRICTIONS = np.array(
    [
        [np.sqrt(ground * own) for own in (LANDER_FRICTION, LEG_FRICTION, LEG_FRICTION)]
        for ground in (BASE_FRICTION, GROUND_FRICTION)
    ],
    dtype=np.float32,
)
