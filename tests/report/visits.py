"""A visit of a page in a browser."""

from pathlib import Path
from typing import Any


class Visit:
    """A page in the browser, with all that it asked for and complained about."""

    def __init__(
        self, browser: Any, place: Path | str, width: int = 1200, scheme: str = "light"
    ) -> None:
        self.context = browser.new_context(
            viewport={"width": width, "height": 900},
            color_scheme=scheme,
            bypass_csp=True,
        )
        self.page = self.context.new_page()
        self.complaints: list[str] = []
        self.requests: list[str] = []
        self.page.on("console", lambda told: self.complaints.append(told.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.goto(place if isinstance(place, str) else place.as_uri())

    def __enter__(self) -> "Visit":
        return self

    def __exit__(self, *_: object) -> None:
        self.context.close()

    def foreign_requests(self) -> list[str]:
        """What was asked of anything but the page itself."""
        return [url for url in self.requests[1:] if not url.startswith("data:")]

    def overflow(self) -> int:
        """By how many pixels the page is wider than the window."""
        return int(self.page.evaluate("document.documentElement.scrollWidth - window.innerWidth"))
