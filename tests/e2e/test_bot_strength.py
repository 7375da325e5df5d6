"""The strength of practice bots, chosen in the lobby, on a bot's card at the table, and after a deal."""

from playwright.sync_api import expect

from tables.models import Table
from tables.seating.starting_tables import make_starting_tables
from tests.e2e.inspection import DESK, SMALL_PHONE, axe_faults, small_targets
from tests.e2e.seated import CONFIRM, PATIENCE, RESULT, button, expect_cards
from tests.given import reload


def test_the_strength_of_bots_is_chosen_in_the_lobby_and_remembered(  # noqa: PLR0915 - one walk
    visit, nila, clock, hurried_bots
):
    make_starting_tables()
    with visit(nila) as visitor:
        page = visitor.page
        page.set_viewport_size(SMALL_PHONE)
        visitor.visit("/")
        tile, chosen = (
            page.locator('form[data-tile="indian"]'),
            page.get_by_label("How well the bots play"),
        )
        choices = tile.locator('[data-part="choice"]')
        page.get_by_role("radio", name="People only").check(force=True)
        choices.click()
        expect(chosen).to_be_hidden()
        page.keyboard.press("Escape")
        page.get_by_role("radio", name="Bots ready").check(force=True)
        choices.click()
        expect(chosen).to_have_value("usual")
        page.keyboard.press("Escape")
        # In a game without bots of the chosen strength, the strongest ones play.
        page.locator('form[data-tile="gin"] [data-part="choice"]').click()
        chosen.select_option("expert")
        page.keyboard.press("Escape")
        choices.click()
        expect(chosen).to_have_value("hard")
        expect(chosen.locator("option[value=expert]")).to_be_hidden()
        page.keyboard.press("Escape")
        page.locator('form[data-tile="gin"] [data-part="choice"]').click()
        expect(chosen).to_have_value("expert")
        assert not axe_faults(page)
        assert not small_targets(page)
        visitor.visit("/")
        choices.click()
        expect(chosen).to_have_value("hard")
        page.keyboard.press("Escape")
        tile.get_by_role("button", name="Play now").click()
        page.wait_for_url("**/tables/*/")
        table = Table.objects.get(sittings__user=nila, sittings__left_at=None)
        assert table.is_practice
        assert table.bot_strength == "hard"
        # The bot's card shows the strength and changes it at any time.
        page.set_viewport_size(DESK)
        page.get_by_role("button", name="(bot)").first.click(timeout=PATIENCE)
        card = page.locator('[data-dialog="player"]')
        expect(card.get_by_role("radio", name="Hard")).to_be_checked(timeout=PATIENCE)
        assert not axe_faults(page)
        card.get_by_role("radio", name="Easy").check()
        card.get_by_role("button", name="Play like this").click()
        expect(page.locator('[data-region="messages"]')).to_contain_text(
            "From now on the strength of the bots is: Easy.", timeout=PATIENCE
        )
        assert reload(table).bot_strength == "easy"
        # After a deal, the choice is beside the button for the next one.
        button(page, "Drop").click(timeout=PATIENCE)
        page.locator(CONFIRM).click()
        result = page.locator(RESULT)
        expect(result.get_by_role("button", name="Easy")).to_have_attribute(
            "aria-pressed", "true", timeout=PATIENCE
        )
        # In Indian rummy, "hard" is the highest strength.
        expect(result.get_by_role("button", name="Expert")).to_have_count(0)
        result.get_by_role("button", name="Hard").click()
        expect(page.locator('[data-region="messages"]')).to_contain_text(
            "From now on the strength of the bots is: Hard.", timeout=PATIENCE
        )
        assert reload(table).bot_strength == "hard"
        assert not axe_faults(page)
        result.get_by_role("button", name="Play again").click()
        expect_cards(page, 13)
