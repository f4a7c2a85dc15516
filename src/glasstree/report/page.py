"""One HTML file a run that opens from disk without a network."""

from html import escape
from pathlib import Path
from string import Template
from typing import Any

from glasstree.export import to_text
from glasstree.policy.document import write_atomically
from glasstree.report.figures import reward_histogram, training_curve

PAGE = Template("""<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>glasstree: $task</title>
<style>
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; } th, td { padding: .3rem .8rem; text-align: right; }
th:first-child, td:first-child { text-align: left; } thead th { border-bottom: 1px solid; }
pre { overflow-x: auto; padding: 1rem; border: 1px solid #8886; border-radius: .4rem; }
svg { max-width: 100%; height: auto; background: #fff; border-radius: .4rem; }
</style></head><body>
<h1>$task</h1>
<p>$outcome</p>
<h2>Rules</h2>
<pre>$rules</pre>
<h2>Control of $episodes unseen episodes</h2>
<table><thead><tr><th>policy</th><th>mean reward</th><th>95 % interval</th><th>episode sd</th>
<th>success</th><th>rules</th></tr></thead><tbody>
$rows
</tbody></table>
<h2>Rewards</h2>
$histogram
<h2>Closed-loop training</h2>
$curve
</body></html>
""")


def write_report(result: Any, path: Path) -> None:
    """Write the page of a run's result."""
    policy, performances = result.policy, result.performances
    final = performances["re-engineered"]
    success = "" if final.success_rate is None else f", {100 * final.success_rate:.1f} % success"
    rows = [_row(name, found, result.policies.get(name)) for name, found in performances.items()]
    page = PAGE.substitute(
        task=escape(result.task.name),
        outcome=escape(
            f"{policy.n_rules} rule(s), {policy.n_terms} terms: mean reward "
            f"{final.mean_reward:,.2f}{success} over {final.episodes:,} unseen episodes."
        ),
        rules=escape(to_text(policy)),
        episodes=f"{final.episodes:,}",
        rows="\n".join(rows),
        histogram=reward_histogram({n: found.rewards for n, found in performances.items()}),
        curve=training_curve(result.curve["best"], result.curve["mean"]),
    )
    write_atomically(path, page.encode())


def _row(name: str, found: Any, tree: Any) -> str:
    low, high = found.ci95
    cells = [
        escape(name),
        f"{found.mean_reward:,.2f}",
        f"{low:,.2f} to {high:,.2f}",
        f"{found.episode_sd:,.2f}",
        "-" if found.success_rate is None else f"{100 * found.success_rate:.1f} %",
        str(tree.n_rules) if tree else "-",
    ]
    return "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"
