"""The page in headless Chromium: it works, asks no network, and can be used by everybody."""

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from glasstree.report import Held, write_comparison, write_report
from glasstree.tasks import task_names
from report.contents import content_of_task
from report.visits import Visit

SECTIONS = ["policy", "proved", "tree", "try", "watch", "maps", "figures"]
LOOPS = ("cartpole", "carfollowing", "mountaincar")  # of which claims are known
AXE = Path(sys.prefix) / "node_modules" / "axe-core" / "axe.min.js"
SET_STATES = """states => states.map(state => {
  state.forEach((value, j) => {
    const slider = document.getElementById(`slider-${j}`);
    slider.value = value;
    slider.dispatchEvent(new Event("input"));
  });
  return Number(document.getElementById("decision").dataset.action);
})"""


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Make the page of a task once."""
    folder = tmp_path_factory.mktemp("pages")

    def made(name: str, rules: int = 3) -> Path:
        path: Path = folder / f"{name}_{rules}.html"
        if not path.exists():
            write_report(content_of_task(name, rules), path)
        return path

    return made


@pytest.mark.parametrize("name", task_names())
def test_every_section_of_every_task(browser: Any, pages: Any, name: str) -> None:
    path = pages(name)
    assert path.stat().st_size < 3_000_000
    with Visit(browser, path, width=390) as visit:
        page = visit.page
        expected = [part for part in SECTIONS if part != "proved" or name in LOOPS]
        assert page.evaluate("[...document.querySelectorAll('section')].map(s => s.id)") == expected
        assert page.locator("#stages canvas:not(.strip, .trace)").count() == 2
        drawn = "c => new Set(c.getContext('2d').getImageData(0, 0, c.width, c.height).data).size"
        for number in range(2):
            canvas = page.locator("#stages canvas:not(.strip, .trace)").nth(number)
            assert canvas.evaluate(drawn) > 10
        assert page.locator("#tree-frame .node").count() == 7
        assert visit.overflow() <= 0
        assert visit.complaints == []
        assert visit.foreign_requests() == []


def held_page(folder: Path) -> Path:
    """A page that tells how two policies hold up, over two arguments, over one, and worse."""
    figures = {"ci95": (0.0, 1.0), "episodes": 10, "success_rate": 0.5}
    rows = [{**figures, "mean_reward": 10.0 * n, "success_rate": n / 20} for n in range(20)]
    vary: dict[str, Any] = {"pump": (0.5, 1.0, 1.5, 2.0, 2.5), "leak": (0, 0.1, 0.2, 0.3)}
    held = []
    for policy in ("9 symbols", "oracle"):
        held += [
            Held(policy, "", vary, 10, 0, tuple(rows)),
            Held(policy, "delay 1", {"pump": vary["pump"]}, 10, 0, tuple(rows[:5])),
            Held(policy, "noise 0.1", {}, 10, 0, (rows[3],)),
        ]
    path = folder / "held.html"
    write_report(replace(content_of_task("mountaincar"), held=tuple(held)), path)
    return path


def test_how_it_holds_up_is_read_from_maps(browser: Any, tmp_path: Path) -> None:
    with Visit(browser, held_page(tmp_path), width=390) as visit:
        page = visit.page
        assert page.locator("header a[href='#conditions']").text_content() == "How it holds up"
        assert page.locator("#conditions .heat").count() == 8
        first = page.locator("#conditions .heat").first
        assert first.locator("caption").text_content() == "Mean reward: 9 symbols"
        assert first.locator("tbody tr").nth(1).locator("th").text_content() == "leak 0.1"
        cells = first.locator("tbody tr").nth(1).locator("td")
        assert cells.all_text_contents() == ["10.00", "50.00", "90.00", "130.00", "170.00"]
        painted = "cell => getComputedStyle(cell).backgroundColor"
        assert len({cells.nth(n).evaluate(painted) for n in range(5)}) == 5
        assert visit.overflow() <= 0
        assert visit.complaints == []


@pytest.mark.parametrize("name, rules", [("mountaincar", 3), ("acrobot", 26)])
def test_sliders_choose_as_the_tree_does(browser: Any, pages: Any, name: str, rules: int) -> None:
    tree = content_of_task(name, rules).policy
    low, span = tree.scaling.minimum, tree.scaling.span
    states = low + span * np.random.default_rng(5).uniform(-0.24, 1.24, (200, tree.n_variables))
    with Visit(browser, pages(name, rules)) as visit:
        found = visit.page.evaluate(SET_STATES, states.tolist())
        assert found == tree.actions(states).tolist()
        assert len(set(found)) > 1


def test_the_nearest_flip_is_a_flip(browser: Any, pages: Any) -> None:
    tree = content_of_task("mountaincar").policy
    with Visit(browser, pages("mountaincar")) as visit:
        page = visit.page
        page.locator("#try-middle").click()
        page.wait_for_selector(".flip")
        flip = page.locator(".flip").first
        variable, value = (flip.get_attribute(f"data-{word}") for word in ("flip", "value"))
        state = (tree.scaling.minimum + tree.scaling.maximum) / 2
        before = int(tree.actions([state])[0])
        state[int(variable)] = float(value)
        after = int(tree.actions([state])[0])
        assert before != after == int(flip.get_attribute("data-action"))
        flip.locator("button").click()
        assert page.locator("#decision").get_attribute("data-action") == str(after)
        lit = len(tree.path(state)[0]) + 1
        page.wait_for_function(f"document.querySelectorAll('.node.lit').length === {lit}")


def test_replay_plays_pauses_steps_and_scrubs(browser: Any, pages: Any) -> None:
    with Visit(browser, pages("carfollowing")) as visit:
        page, clock = visit.page, visit.page.locator("#clock")
        assert clock.text_content().startswith("step 1 of")
        page.locator("#play").click()
        page.wait_for_function("Number(document.getElementById('scrub').value) > 2")
        page.locator("#play").click()
        assert page.locator("#play").text_content() == "Play"
        paused = clock.text_content()
        page.wait_for_timeout(150)
        assert clock.text_content() == paused
        page.locator("#scrub").fill("3")
        assert clock.text_content().startswith("step 4 of")
        page.locator("#forward").click()
        assert clock.text_content().startswith("step 5 of")
        page.locator("#back").click()
        assert clock.text_content().startswith("step 4 of")
        page.locator("#send").click()
        state = content_of_task("carfollowing").starts[0][-1].states[3]
        assert float(page.locator("#slider-0").input_value()) == pytest.approx(state[0])


def test_the_tree_folds_explains_and_changes_units(browser: Any, pages: Any) -> None:
    with Visit(browser, pages("acrobot", 26)) as visit:
        page = visit.page
        page.locator("#unfold").click()
        assert page.locator("#tree-frame .node").count() == 53
        page.locator('.node[data-node="0"]').focus()
        assert "Rule 0" in page.locator("#explain").text_content()
        page.keyboard.press("Enter")
        assert page.locator("#tree-frame .node").count() == 1
        page.keyboard.press("Enter")
        assert page.locator("#tree-frame .node").count() == 53
        assert page.locator(".rules .in-normalised").count() == 0
        page.locator("input[value=normalised]").check()
        assert page.locator(".in-normalised").first.is_visible()
        assert not page.locator(".in-original").first.is_visible()
        page.set_viewport_size({"width": 390, "height": 800})
        assert visit.overflow() <= 0
        assert visit.complaints == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_use_it(browser: Any, pages: Any, tmp_path: Path, scheme: str) -> None:
    if not AXE.exists():
        pytest.skip(f"axe-core is not installed; npm install --prefix {sys.prefix} axe-core")
    both = tmp_path / "comparison.html"
    write_comparison([(n, content_of_task(n)) for n in ("cartpole", "mountaincar")], both)
    for path in (pages("mountaincar"), held_page(tmp_path), both):
        with Visit(browser, path, scheme=scheme) as visit:
            visit.page.locator("details").evaluate_all("all => all.forEach(one => one.open = true)")
            visit.page.add_script_tag(path=AXE)
            found = visit.page.evaluate("axe.run().then(found => found.violations)")
            told = [(v["id"], v["nodes"][0]["html"][:90], len(v["nodes"])) for v in found]
            assert told == []


def test_the_keyboard_reaches_everything_in_order(browser: Any, pages: Any) -> None:
    with Visit(browser, pages("cartpole")) as visit:
        reached = []
        for _ in range(60):
            visit.page.keyboard.press("Tab")
            reached.append(
                visit.page.evaluate("document.activeElement.closest('section')?.id || ''")
            )
        order = list(dict.fromkeys(section for section in reached if section))
        assert order == [section for section in SECTIONS if section != "maps"]
