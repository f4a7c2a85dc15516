"""LunarLander's physics, compiled: the part of Box2D 2.3 that its scene needs, in its rounding."""
