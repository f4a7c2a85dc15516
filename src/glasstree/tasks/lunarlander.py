"""LunarLander: bring a lander to rest on the ground (Gymnasium's LunarLander-v3)."""

from dataclasses import replace

from glasstree.policy.arrays import Bools
from glasstree.tasks.base import Environment, Outcomes, Task
from glasstree.tasks.lander import environment
from glasstree.tasks.twins import Simulator


def landed(ends: Outcomes) -> Bools:
    """Count landers at rest: the environment ends those with +100 and crashes with -100."""
    return ends.terminated & (ends.last_rewards > 0.0)


TASK = Task(
    name="lunarlander",
    title="bring a lander to rest on the ground",
    environment=Environment("LunarLander-v3", step_limit=1000, extra="box2d"),
    state_names=("x", "y", "vx", "vy", "angle", "spin", "left_leg", "right_leg"),
    units=("", "", "", "", "rad", "", "", ""),
    action_names=("nothing", "left engine", "main engine", "right engine"),
    success=landed,
    simulator=Simulator(
        *(environment.start, environment.step, environment.observe, environment.noise),
        parameters=environment.ROUNDS,
    ),
    rules=4,
    search_steps=130_000_000,
    failure_cost=200.0,
)


def continuous(task: Task) -> Task:
    """Return LunarLanderContinuous as we know it: names, success and a compiled simulator."""
    assert TASK.simulator is not None
    return replace(
        task,
        title=f"{TASK.title}, with throttles",
        environment=replace(task.environment, extra="box2d"),
        state_names=TASK.state_names,
        units=TASK.units,
        success=landed,
        simulator=replace(TASK.simulator, step=environment.step_by_level),
        search_steps=TASK.search_steps,
        failure_cost=TASK.failure_cost,
    )
