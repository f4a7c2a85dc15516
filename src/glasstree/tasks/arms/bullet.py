"""The same chain in PyBullet, the engine of the paper."""

import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from glasstree.errors import MissingExtraError
from glasstree.policy.arrays import Floats
from glasstree.tasks.arms.chain import GRAVITY, TIME_STEP

BASE = """
<link name="base"><inertial><mass value="0"/>
<inertia ixx="0" iyy="0" izz="0" ixy="0" ixz="0" iyz="0"/></inertial></link>"""
LINK = """
<link name="link{i}"><inertial><origin xyz="0 0 -0.5"/><mass value="{mass}"/>
<inertia ixx="{inertia}" iyy="{inertia}" izz="{inertia}" ixy="0" ixz="0" iyz="0"/>
</inertial></link>
<joint name="joint{i}" type="continuous"><parent link="{parent}"/><child link="link{i}"/>
<origin xyz="0 0 {offset}"/><axis xyz="0 1 0"/></joint>"""


class BulletChain:
    """One PyBullet world with one arm: no damping, no contacts, no friction."""

    def __init__(self, links: int, mass: float) -> None:
        try:
            import pybullet
        except ImportError:
            raise MissingExtraError("the engine 'bullet'", "bullet") from None
        self.bullet: Any = pybullet
        self.joints = list(range(links))
        self.world = pybullet.connect(pybullet.DIRECT)
        where = {"physicsClientId": self.world}
        pybullet.setGravity(0.0, 0.0, -GRAVITY, **where)
        pybullet.setPhysicsEngineParameter(fixedTimeStep=TIME_STEP, numSubSteps=1, **where)
        self.arm = self._load(links, mass)
        for link in range(-1, links):
            pybullet.changeDynamics(
                *(self.arm, link), linearDamping=0.0, angularDamping=0.0, jointDamping=0.0, **where
            )
        forces = [0.0] * links
        pybullet.setJointMotorControlArray(
            self.arm, self.joints, pybullet.VELOCITY_CONTROL, forces=forces, **where
        )

    def reset(self, state: Floats) -> None:
        """Put the arm into a state."""
        for joint, (angle, speed) in enumerate(zip(*np.split(state, 2), strict=True)):
            self.bullet.resetJointState(self.arm, joint, angle, speed, physicsClientId=self.world)

    def step(self, torques: Floats) -> Floats:
        """Apply torques for one time step and return the state."""
        self.bullet.setJointMotorControlArray(
            *(self.arm, self.joints, self.bullet.TORQUE_CONTROL),
            forces=torques.tolist(),
            physicsClientId=self.world,
        )
        self.bullet.stepSimulation(physicsClientId=self.world)
        states = self.bullet.getJointStates(self.arm, self.joints, physicsClientId=self.world)
        return np.array([s[0] for s in states] + [s[1] for s in states])

    def close(self) -> None:
        """End the world."""
        if self.bullet.isConnected(self.world):
            self.bullet.disconnect(self.world)

    def __del__(self) -> None:
        if hasattr(self, "world"):
            self.close()

    def _load(self, links: int, mass: float) -> int:
        parts = [
            LINK.format(
                i=i,
                mass=mass,
                inertia=repr(mass / 12.0),
                parent=f"link{i - 1}" if i else "base",
                offset=-1 if i else 0,
            )
            for i in range(links)
        ]
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "arm.urdf"
            path.write_text(f'<robot name="arm">{BASE}{"".join(parts)}</robot>')
            flags = self.bullet.URDF_USE_INERTIA_FROM_FILE
            arm: int = self.bullet.loadURDF(
                str(path), useFixedBase=True, flags=flags, physicsClientId=self.world
            )
        return arm
