"""A visit to a page of the site: its requests and console messages."""

import base64
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Literal

from playwright.sync_api import Browser, ConsoleMessage, Page, Response, ViewportSize

from web_tests.tests.site.conftest import ServedSite

DESKTOP: ViewportSize = {"width": 1280, "height": 900}
PHONE: ViewportSize = {"width": 390, "height": 844}
ColorScheme = Literal["light", "dark"]
LOOKS: Mapping[str, tuple[ViewportSize, ColorScheme]] = {
    "desktop-light": (DESKTOP, "light"),
    "desktop-dark": (DESKTOP, "dark"),
    "phone-light": (PHONE, "light"),
    "phone-dark": (PHONE, "dark"),
}
# Until the page's first result, or for good if it shows none.
SETTLED = "() => !document.querySelector('[data-kind=busy]')"
SETTLE_MS = 60_000
# Drops or pastes a file, which `size` makes as large as it says; returns whether the page accepts it.
PROVIDE_FILE = """([kind, name, content, size]) => {
    const dataTransfer = new DataTransfer();
    const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0));
    dataTransfer.items.add(new File([bytes], name));
    if (size) Object.defineProperty(Blob.prototype, 'size', { get: () => size });
    const options = { bubbles: true, cancelable: true };
    const event = kind === 'drop' ? new DragEvent(kind, { ...options, dataTransfer })
        : new ClipboardEvent(kind, { ...options, clipboardData: dataTransfer });
    document.querySelector('footer').dispatchEvent(event);
    return event.defaultPrevented;
}"""
# Chromium's own message if a page looks for a GPU and there is none.
REMARKS = {"No available adapters."}


@dataclass
class Visit:
    """Events on a page so far.

    Attributes:
        requests: addresses, in their order.
        console_errors: warnings and errors of the console, and uncaught errors.
        responses: the server's responses.
    """

    page: Page
    requests: list[str] = field(default_factory=list)
    console_errors: list[str] = field(default_factory=list)
    responses: list[Response] = field(default_factory=list)

    def on_console(self, message: ConsoleMessage) -> None:
        """Record errors and warnings other than REMARKS."""
        if message.type in ("error", "warning") and message.text not in REMARKS:
            self.console_errors.append(f"{message.type}: {message.text}")

    def foreign_requests(self, site: ServedSite) -> list[str]:
        """Return the requested URLs outside the site."""
        own = (site.address, f"blob:{site.address.split('/some/')[0]}", "data:")
        return [url for url in self.requests if not url.startswith(own)]


@contextmanager
def visiting(
    browser: Browser,
    site: ServedSite,
    file: str,
    viewport: ViewportSize = DESKTOP,
    first_script: str = "",
    **options: Any,
) -> Iterator[Visit]:
    """Open a page of the site in a fresh profile, and wait until it is loaded, and isolated if it requests that.

    `first_script` runs before the scripts of each page.
    """
    context = browser.new_context(viewport=viewport, **options)
    context.add_init_script(first_script)
    page = context.new_page()
    visit = Visit(page)
    context.on("request", lambda request: visit.requests.append(request.url))
    page.on("response", lambda response: visit.responses.append(response))
    page.on("console", visit.on_console)
    page.on("pageerror", lambda error: visit.console_errors.append(f"uncaught: {error}"))
    page.goto(site.address + file)
    page.wait_for_function(
        "() => crossOriginIsolated || !('isolated' in document.documentElement.dataset)", timeout=SETTLE_MS
    )
    page.wait_for_load_state("load", timeout=SETTLE_MS)
    yield visit
    context.close()


def drop(page: Page, name: str, content: bytes, *, size: int = 0, kind: Literal["drop", "paste"] = "drop") -> None:
    """Drop a file on a page that accepts files anywhere, or paste it."""
    assert page.evaluate(PROVIDE_FILE, [kind, name, base64.b64encode(content).decode(), size])
