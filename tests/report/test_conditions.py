"""Heat maps: what stands where, and in which colour."""

from typing import Any

from glasstree.report import Held
from glasstree.report.conditions import comparisons

VARY: dict[str, Any] = {"pump": (0.5, 1.0, 1.5), "leak": (0, 1)}


def figures(reward: float, success: float | None = None) -> dict[str, Any]:
    return {"mean_reward": reward, "ci95": (reward, reward), "success_rate": success}


def held(policy: str = "9 symbols", **words: Any) -> Held:
    usual: dict[str, Any] = {"worse": "", "vary": {}, "episodes": 10, "seed": 0}
    return Held(policy, **(usual | words))


def test_the_second_argument_runs_down() -> None:
    (found,) = comparisons([held(vary=VARY, figures=tuple(figures(n) for n in range(6)))])
    (shown,) = found.maps
    assert shown.across == ("0.5", "1", "1.5")
    assert [(name, [cell.text for cell in cells]) for name, cells in shown.rows] == [
        ("leak 0", ["0.00", "2.00", "4.00"]),
        ("leak 1", ["1.00", "3.00", "5.00"]),
    ]
    assert found.title == "pump and leak vary: 10 unseen episodes each, seed 0"


def test_the_best_is_darkest_for_all_policies_of_a_comparison() -> None:
    vary = {"pump": (1, 2)}
    one = held(vary=vary, figures=(figures(1.0), figures(3.0)))
    other = held("oracle", vary=vary, figures=(figures(3.0), figures(5.0)))
    (found,) = comparisons([one, other])
    (shown,) = found.maps
    (_, (low, middle)), (_, (same, high)) = shown.rows
    assert (low.tint, low.ink) == ("#f1f5f9", "#000000")
    assert (high.tint, high.ink) == ("#00568a", "#ffffff")
    assert middle == same


def test_what_is_made_worse_stands_side_by_side_and_gaps_stay_empty() -> None:
    (found,) = comparisons(
        [
            held(worse="noise 0.1", figures=(figures(1.0, 0.5),)),
            held("oracle", worse="noise 0.1", figures=(figures(2.0, 1.0),)),
            held(worse="delay 2", figures=(figures(3.0, 0.25),)),
        ]
    )
    reward, success = found.maps
    assert reward.across == ("noise 0.1", "delay 2")
    assert [cell.text for cell in reward.rows[1][1]] == ["2.00", ""]
    assert [cell.text for cell in success.rows[0][1]] == ["50 %", "25 %"]
    assert [row[0] for row in found.rows] == ["noise 0.1", "delay 2"]


def test_other_episodes_are_another_comparison() -> None:
    one = held(worse="delay 2", figures=(figures(1.0),))
    assert len(comparisons([one, held(worse="delay 2", episodes=20, figures=(figures(1.0),))])) == 2
