"""Looking at a page as a strict reader would: axe, nothing wider than the screen, both themes, all sizes."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.browser.conftest import MIDDLE, PHONE, WIDE

axe = Axe()

TOO_WIDE = """() => {
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= width) return [];
  return [...document.body.querySelectorAll("*")]
    .filter((e) => e.getBoundingClientRect().right > width + 1 && !e.closest(".scroll, pre, .vh"))
    .slice(0, 3).map((e) => e.outerHTML.slice(0, 120));
}"""


def violations(page: Page) -> list[str]:
    """Every rule of axe that this page breaks now, with the first places."""
    found = axe.run(page).response["violations"]
    return [
        f"{rule['id']}: {rule['help']} at "
        + "; ".join(f"{node['html'][:160]} ({node.get('failureSummary', '')[:200]})" for node in rule["nodes"][:3])
        for rule in found
    ]


def faults(page: Page) -> list[str]:
    """Violations and overflow in light and dark, wide, on a phone, and once between. Leaves the page wide and light."""
    found = []
    for size in (PHONE, MIDDLE, WIDE):
        page.set_viewport_size(size)
        for scheme in ("dark", "light") if size != MIDDLE else ("light",):
            page.emulate_media(color_scheme=scheme)
            at = f"{size['width']} px, {scheme}: "
            found += [at + fault for fault in violations(page)]
        found += [f"{size['width']} px, too wide: {element}" for element in page.evaluate(TOO_WIDE)]
    return found
