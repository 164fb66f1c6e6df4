"""Seen at twice the size, and by those whom moving things make sick."""

from typing import Final

from tests.console.conftest import Visiting
from tests.console.test_quality import memory_screen, screens
from tests.gateways import GatewayProcess

ZOOMED: Final = {"width": 640, "height": 400}
"""What is left of a window of 1280 by 800 at 200 %."""
MOVING: Final = """() => [...document.querySelectorAll('*')].filter((found) => {
  const style = getComputedStyle(found)
  const lasts = (durations) => durations.split(', ').some((each) => parseFloat(each) > 0.001)
  return lasts(style.transitionDuration) || lasts(style.animationDuration) || style.scrollBehavior === 'smooth'
}).length + document.getAnimations().length"""
WIDE_NOW: Final = "() => document.documentElement.scrollWidth"


def test_screens_at_twice_the_size_need_no_scrolling_sideways_and_nothing_moves(
    visiting: Visiting, gateway: GatewayProcess
) -> None:
    visit = visiting("en", viewport=ZOOMED, device_scale_factor=2, reduced_motion="reduce")
    visit.refused = True  # a memory that is not there
    wide, moving = {}, {}
    for screen in [*screens("en"), memory_screen(gateway, "en")]:
        page = visit.go(screen)
        wide[screen], moving[screen] = page.evaluate(WIDE_NOW), page.evaluate(MOVING)
    visit.picture("zoomed-en")
    assert {screen: width for screen, width in wide.items() if width > ZOOMED["width"]} == {}
    assert {screen: number for screen, number in moving.items() if number} == {}
    page.emulate_media(reduced_motion="no-preference")
    assert page.evaluate(MOVING), "what moves for others is found"
