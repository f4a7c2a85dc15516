"""The front in headless Chromium: keyboard, pointer, and a page that follows the shown policy."""

import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from glasstree.report import Content, write_comparison, write_report
from report.contents import content_of_task
from report.test_browser import AXE, SET_STATES
from report.visits import Visit

TASK, MARKS = "mountaincar", 4
KEY = "Number(document.activeElement.dataset.key)"


@pytest.fixture(scope="module")
def content() -> Content:
    """A front of four policies, the second of them chosen."""
    return content_of_task(TASK, marks=MARKS)


@pytest.fixture(scope="module")
def page_path(content: Content, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of the front."""
    path = tmp_path_factory.mktemp("front") / "report.html"
    write_report(content, path)
    return path


def keys_of(content: Content) -> list[int]:
    """The complexities along the front."""
    return [view.key for view in content.front]


def shows(page: Any, content: Content, key: int) -> None:
    """Every part of the page is about one policy."""
    [view] = [view for view in content.front if view.key == key]
    visible = "[...document.querySelectorAll('[data-policy]')].filter(e => !e.hidden)"
    assert set(page.evaluate(f"{visible}.map(e => e.dataset.policy)")) == {str(key)}
    assert page.locator("tr.final:visible th").text_content() == view.name
    assert f"{view.tree.n_rules} rule" in page.locator(".outcome:visible").text_content()
    assert page.locator("#tree-frame .node").count() == 2 * view.tree.n_rules + 1
    assert page.locator("#stages h3").last.text_content().startswith(view.name)
    assert page.locator("#all-maps h3").last.text_content() == view.name
    assert page.locator('.mark[aria-checked="true"]').get_attribute("data-key") == str(key)
    low, span = content.seen.minimum, content.seen.span
    states = low + span * np.random.default_rng(5).uniform(-0.24, 1.24, (100, len(low)))
    assert page.evaluate(SET_STATES, states.tolist()) == view.tree.actions(states).tolist()


def test_the_page_opens_with_the_chosen_policy(
    browser: Any, content: Content, page_path: Path
) -> None:
    with Visit(browser, page_path) as visit:
        shows(visit.page, content, content.policy.complexity)
        assert visit.page.locator(".mark").count() == MARKS
        assert visit.page.locator(".mark.own").count() == 1
        assert visit.complaints == []


def test_another_number_is_another_page(browser: Any, content: Content, page_path: Path) -> None:
    other = page_path.with_name("other.html")
    last = keys_of(content)[-1]
    text = re.sub(r'(id="chosen">)\d+', rf"\g<1>{last}", page_path.read_text())
    other.write_text(text)
    with Visit(browser, other) as visit:
        shows(visit.page, content, last)
        name = visit.page.locator(".mark.own").get_attribute("aria-label")
        assert name.startswith(f"{last} symbols") and name.endswith(", chosen")


@pytest.mark.parametrize("width", [1200, 390])
def test_a_click_shows_the_whole_page_of_a_policy(
    browser: Any, content: Content, page_path: Path, width: int
) -> None:
    with Visit(browser, page_path, width=width) as visit:
        for key in keys_of(content):
            visit.page.locator(f'.mark[data-key="{key}"]').click()
            shows(visit.page, content, key)
            assert visit.overflow() <= 0
        visit.page.locator("#back-to-chosen").click()
        shows(visit.page, content, content.policy.complexity)
        assert visit.page.locator("#back-to-chosen").is_disabled()
        assert visit.complaints == []


def test_pointing_tells_the_rules_and_changes_nothing(
    browser: Any, content: Content, page_path: Path
) -> None:
    view = content.front[2]
    with Visit(browser, page_path) as visit:
        mark = visit.page.locator(f'.mark[data-key="{view.key}"]')
        mark.hover()
        told = visit.page.locator("#front .told")
        assert told.locator("pre").text_content().startswith("if ")
        assert told.locator("strong").text_content() == mark.get_attribute("aria-label")
        shows(visit.page, content, content.policy.complexity)


def test_marks_can_be_walked_along_and_taken_by_keys(
    browser: Any, content: Content, page_path: Path
) -> None:
    keys = keys_of(content)
    with Visit(browser, page_path) as visit:
        page = visit.page
        reached = ""
        for _ in range(30):
            page.keyboard.press("Tab")
            reached = page.evaluate("document.activeElement.getAttribute('role')")
            if reached == "radio":
                break
        assert page.evaluate(KEY) == keys[1]
        for key, expected in [("End", 3), ("ArrowRight", 3), ("ArrowLeft", 2), ("Home", 0)]:
            page.keyboard.press(key)
            assert page.evaluate(KEY) == keys[expected]
        shows(page, content, keys[1])
        page.locator(f'.mark[data-key="{keys[0]}"]').focus()
        page.keyboard.press("Enter")
        shows(page, content, keys[0])
        assert page.evaluate(KEY) == keys[0]
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowDown")
        page.keyboard.press(" ")
        shows(page, content, keys[2])


def test_marks_have_names(browser: Any, content: Content, page_path: Path) -> None:
    with Visit(browser, page_path) as visit:
        names = visit.page.evaluate(
            "[...document.querySelectorAll('.mark')].map(e => e.getAttribute('aria-label'))"
        )
    figures = [view.figures for view in content.front]
    assert names[0] == f"1 symbol, mean reward {figures[0]['mean_reward']:,.2f}, success 0 %"
    assert names[1].endswith(", chosen")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_use_the_front(
    browser: Any, content: Content, page_path: Path, tmp_path: Path, scheme: str
) -> None:
    if not AXE.exists():
        pytest.skip(f"axe-core is not installed; npm install --prefix {sys.prefix} axe-core")
    both = tmp_path / "comparison.html"
    write_comparison([("one", content), ("two", content_of_task(TASK, marks=3))], both)
    for path in (page_path, both):
        with Visit(browser, path, scheme=scheme) as visit:
            visit.page.add_script_tag(path=AXE)
            found = visit.page.evaluate("axe.run().then(found => found.violations)")
            assert [(v["id"], v["nodes"][0]["html"][:90]) for v in found] == []


def test_fronts_of_several_runs_share_a_plot(
    browser: Any, content: Content, tmp_path: Path
) -> None:
    path = tmp_path / "comparison.html"
    single = content_of_task(TASK)
    write_comparison(
        [("one", content), ("two", single), ("far", content_of_task("cartpole"))], path
    )
    with Visit(browser, path, width=390) as visit:
        page = visit.page
        assert page.locator(".plot").count() == 2
        marks = page.locator(".plot").first.locator(".mark")
        assert marks.count() == MARKS + 1
        assert marks.nth(0).get_attribute("aria-label").startswith("1. one: 1 symbol, ")
        assert marks.last.get_attribute("aria-label").startswith("2. two: ")
        assert [n for n in range(MARKS + 1) if marks.nth(n).locator(".ring").count()] == [1, MARKS]
        assert marks.nth(0).locator("circle.shape").count() == 1
        assert marks.last.locator("path.shape").count() == 1
        marks.nth(0).focus()
        page.keyboard.press("End")
        told = page.locator(".plot").first.locator(".told")
        assert told.locator("strong").text_content().startswith("2. two: ")
        assert visit.overflow() <= 0
        assert visit.complaints == []
