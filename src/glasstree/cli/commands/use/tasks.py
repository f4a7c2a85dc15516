"""`glasstree tasks`: what can be controlled."""

from glasstree.cli import app
from glasstree.cli.console import JsonOption, print_json, print_table


@app.command()
def tasks(as_json: JsonOption = False) -> None:
    """List the control problems that come with glasstree."""
    from glasstree.tasks import all_tasks

    known = all_tasks()
    if as_json:
        print_json(
            {
                task.name: {
                    "title": task.title,
                    "states": dict(zip(task.state_names, task.units, strict=True)),
                    "actions": task.action_names,
                    "step_limit": task.step_limit,
                    "compiled": task.simulator is not None,
                }
                for task in known
            }
        )
        return
    print_table(
        "Tasks",
        ["task", "states", "actions", "steps", "compiled", "goal"],
        [
            [
                task.name,
                str(task.n_variables),
                ", ".join(task.action_names),
                str(task.step_limit),
                "yes" if task.simulator else "no",
                task.title,
            ]
            for task in known
        ],
        text=("actions", "goal"),
    )
