"""The gallery in headless Chromium: films move, pages are embedded, nothing is cut off."""

import importlib.util
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from glasstree.formats import to_text
from glasstree.policy import load
from glasstree.tasks import task_names
from report.visits import Visit

ROOT = Path(__file__).parents[2]
GALLERY = ROOT / "docs" / "gallery"
TASKS = [task for task in task_names() if (GALLERY / task).is_dir()]
LARGEST = 1_500_000  # bytes of all that is kept of one task
WINDOWS = [(1200, "light"), (1200, "dark"), (390, "light")]


class Quiet(SimpleHTTPRequestHandler):
    """Serves files and says nothing."""

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the site, built strictly and served on this machine."""
    folder: Path = tmp_path_factory.mktemp("site")
    words = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir"]
    own = {**os.environ, "NO_MKDOCS_2_WARNING": "1", "PYTHONPATH": str(ROOT / "src")}
    subprocess.run([*words, str(folder)], cwd=ROOT, env=own, check=True)
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.mark.parametrize("width, scheme", WINDOWS)
def test_the_first_page_shows_every_task(browser: Any, site: str, width: int, scheme: str) -> None:
    with Visit(browser, f"{site}/gallery/index.html", width, scheme) as visit:
        page = visit.page
        films = page.locator('article img[src$="film.gif"]')
        assert films.count() == len(TASKS)
        assert films.evaluate_all("all => all.every(film => film.naturalWidth === 600)")
        assert visit.overflow() <= 0
        assert visit.complaints == []
        assert [url for url in visit.requests if not url.startswith((site, "data:"))] == []


@pytest.mark.parametrize("width, scheme", WINDOWS)
@pytest.mark.parametrize("task", TASKS)
def test_a_task_has_its_policy_film_front_and_page(
    browser: Any, site: str, task: str, width: int, scheme: str
) -> None:
    with Visit(browser, f"{site}/gallery/{task}.html", width, scheme) as visit:
        page = visit.page
        printed = to_text(load(GALLERY / task / "policy.json")).strip()
        assert page.locator("article code").first.inner_text().strip() == printed
        loaded = "all => all.map(one => one.complete && one.naturalWidth > 0)"
        assert page.locator("article img").evaluate_all(loaded) == [True, True]
        frame = page.locator("iframe.page")
        frame.scroll_into_view_if_needed()
        inside = frame.element_handle().content_frame()
        inside.wait_for_selector("#stages canvas", timeout=20_000)
        wider = "document.documentElement.scrollWidth - window.innerWidth"
        assert inside.evaluate(wider) <= 0
        assert visit.overflow() <= 0
        assert visit.complaints == []
        assert [url for url in visit.requests if not url.startswith((site, "data:"))] == []


@pytest.mark.parametrize("task", TASKS)
def test_films_move_and_what_is_kept_is_small(task: str) -> None:
    with Image.open(GALLERY / task / "film.gif") as film:
        assert getattr(film, "n_frames", 1) > 20
    assert sum(path.stat().st_size for path in (GALLERY / task).iterdir()) < LARGEST


def test_the_readme_says_what_the_gallery_keeps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "docs" / "site"))
    place = ROOT / "docs" / "site" / "gallery.py"
    spec = importlib.util.spec_from_file_location("gallery", place)
    assert spec is not None and spec.loader is not None
    gallery = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(gallery)
    kept = gallery.summaries(GALLERY)
    assert list(kept) == TASKS
    for page, lines in ((ROOT / "README.md", gallery.rows), (GALLERY / "index.md", gallery.cells)):
        assert "\n".join(lines(kept)) in page.read_text()
    for task, told in kept.items():
        policy = load(GALLERY / task / "policy.json")
        assert told["symbols"] == policy.complexity
        assert told["policy"] in to_text(policy, units="original")
        assert told["policy"].startswith("if ")
