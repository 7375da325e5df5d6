"""The head of a page keeps its buttons together, however narrow the window and long the words."""

from playwright.sync_api import ViewportSize

from accounts.models import User
from tests.e2e.world import make_player


def test_the_buttons_of_the_leaderboards_stay_side_by_side(visit, longest_texts):
    nila = make_player("Nila")
    User.objects.filter(pk=nila.pk).update(language=longest_texts)
    with visit(nila, language=longest_texts) as visitor:
        for width in (320, 390):
            visitor.page.set_viewport_size(ViewportSize(width=width, height=640))
            visitor.visit("/leaderboards/")
            assert visitor.page.locator("html").get_attribute("lang") == longest_texts
            first, second = (
                button.bounding_box() for button in visitor.page.locator(".page-head .button").all()
            )
            assert first is not None
            assert second is not None
            assert first["y"] == second["y"]
            assert 0 < second["x"] - first["x"] - first["width"] <= 16
