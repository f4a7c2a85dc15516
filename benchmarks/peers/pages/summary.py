"""In short: how the best of glasstree and the best rival compare, task by task and counted."""

from collections.abc import Callable, Sequence

from ..front import Gap, Point, best_rival, front, means, paired, rivals_of
from .losses import Loss
from .words import OLDER, interval, number, symbols, title


def balance(points: dict[str, list[Point]], lost: Sequence[Loss], tables: int) -> str:
    """Count where the best of ours is above and below the best rival, and where we lose."""
    gaps = [gap for gap in map(apart, points.values()) if gap is not None]
    sure = [gap for gap in gaps if gap.sure]
    above = sum(gap.value > 0 for gap in sure)
    rivals = {one.rival for found in points.values() for one in rivals_of(found)}
    behind = {
        worth: len({loss.name for loss in lost if loss.gap.sure and loss.worth == worth})
        for worth in ("reward", "accuracy")
    }
    return (
        f"On {len(gaps)} control tasks the best policy of glasstree earns more than the best of "
        f"{len(rivals)} rivals on {above}, less on {len(sure) - above}; on {len(gaps) - len(sure)} "
        "the 95 % interval of the difference holds 0. With no more printed symbols than a rival, "
        f"glasstree is behind it, outside such an interval, on {behind['reward']} of these tasks "
        f"and on {behind['accuracy']} of {tables} tables."
    )


def apart(points: list[Point]) -> Gap | None:
    """Return how much more the best of ours has than the best rival, over the seeds of both."""
    averages = means(points)
    return paired(best_of_ours(averages), best_rival(averages))


def summary(points: dict[str, list[Point]]) -> tuple[list[str], list[list[str]]]:
    """Compare the best of glasstree with the best of all rivals, task by task, means over seeds."""
    head = ["task", "glasstree's reward", "symbols", "occurrences", "best rival", "its reward"]
    head += ["symbols", "occurrences", "ours minus its"]
    lines = []
    for name, found in points.items():
        averages = means(found)
        ours, rival = best_of_ours(averages), best_rival(averages)
        mine = sized_words(ours)
        its = [title(rival), *sized_words(rival)] if rival else ["-"] * 4
        lines.append([name, *mine, *its, compared(ours, rival, "reward")])
    return head, lines


def sized_words(point: Point | None) -> list[str]:
    """Write reward, symbols and occurrences; a dagger where earlier code measured them."""
    if point is None:
        return ["-"] * 3
    dagger = f" {OLDER}" if point.older else ""
    return [number(point.worth) + dagger, symbols(point.complexity), symbols(point.occurrences)]


def compared(ours: Point | None, rival: Point | None, worth: str) -> str:
    """Write the difference over the seeds that both have, bold where it is outside the noise."""
    difference = paired(ours, rival)
    if difference is None:
        return "-"
    words = interval(difference, worth)
    return f"**{words}**" if difference.sure else words


def best_of_ours(averages: list[Point]) -> Point | None:
    """Return the end of glasstree's front, or its size of most worth, the shorter of equals."""
    ours = [point for point in averages if point.ours]
    ends = [point for point in ours if point.data == "front"]
    if ends:
        return max(ends, key=lambda point: point.size)
    return max(ours, key=lambda point: (point.worth, -point.complexity), default=None)


def readings(points: dict[str, list[Point]], worth: str, say: Callable[[float], str]) -> str:
    """Return a line a task, or a table: the best of both sides, and who is on the front."""
    lines = (f"- **{name}**: {reading(found, worth, say)}" for name, found in points.items())
    return "\n".join(lines)


def reading(points: list[Point], worth: str, say: Callable[[float], str]) -> str:
    """Say how the best of ours and of rivals compare, and which rivals are on the joint front."""
    averages = means(points)
    ours, rival = best_of_ours(averages), best_rival(averages)
    if ours is None or rival is None:
        return "not measured on both sides."
    words = [
        f"glasstree's best has {say(ours.worth)} with {symbols(ours.complexity)} symbols, the best "
        f"rival, {title(rival)}, {say(rival.worth)} with {symbols(rival.complexity)}; ours minus "
        f"its: {compared(ours, rival, worth)}"
    ]
    as_good = [point for point in rivals_of(averages) if point.worth >= ours.worth]
    shortest = min(as_good, key=lambda point: point.complexity, default=None)
    if shortest is not None and shortest is not rival:
        words.append(
            f"the shortest rival that is not below ours, {title(shortest)}, has "
            f"{symbols(shortest.complexity)} symbols"
        )
    line = front([point for point in averages if not point.ceiling])
    others = [title(point) for point in line if not point.ours]
    words.append("rivals on the joint front: " + (", ".join(others) or "none"))
    return "; ".join(words) + "."
