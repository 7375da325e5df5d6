"""A player who waits alone at a table. The page says so, and other pages tell them when an opponent comes."""

from playwright.sync_api import expect

from accounts.models import User
from tables.models import Table
from tables.seating.supply import play_now
from tests.e2e.inspection import PHONE, axe_faults, too_wide
from tests.e2e.seated import PATIENCE
from tests.e2e.world import make_player
from tests.tables.driving import make_kind

ALONE = '[data-region="alone"]'
CALLED = '[data-part="called"]'


def make_waiting_player() -> tuple[User, Table]:
    template = make_kind(max_seats=3)
    make_kind(name="Practice", max_seats=3, bots_wanted=1)
    player = make_player("Asha")
    play_now(template_id=template.pk, user_id=player.pk)
    return player, Table.objects.get(sittings__user=player)


def let_somebody_come(table: Table) -> None:
    assert table.template_id is not None
    play_now(template_id=table.template_id, user_id=make_player("Vikram").pk)


def test_a_lonely_player_is_told_until_somebody_comes(visit):
    player, table = make_waiting_player()
    with visit(player) as visitor:
        page = visitor.page
        page.set_viewport_size(PHONE)
        visitor.open_table(table)
        alone = page.locator(ALONE)
        expect(alone).to_contain_text("Nobody has played at such a table this week.")
        expect(alone.get_by_role("button", name="Play with bots meanwhile")).to_be_visible()
        assert axe_faults(page) == []
        assert too_wide(page) == []
        let_somebody_come(table)
        expect(alone).to_be_hidden(timeout=PATIENCE)


def test_other_pages_call_when_somebody_comes(visit):
    player, table = make_waiting_player()
    with visit(player) as visitor:
        visitor.open_table(table)
        # At the new table with bots, the table left alone is a tab.
        visitor.page.get_by_role("button", name="Play with bots meanwhile").click()
        visitor.page.wait_for_url(lambda url: not url.endswith(f"/tables/{table.pk}/"))
        state = visitor.page.locator(f'[data-own-table="{table.pk}"] .own-table__state')
        expect(state).to_have_text("Waiting for players", timeout=PATIENCE)
        let_somebody_come(table)
        expect(visitor.page.locator(CALLED)).to_have_text(
            f"Next deal soon · {table.name}", timeout=PATIENCE
        )
