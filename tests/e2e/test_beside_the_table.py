"""Discards, chat and moves beside the table, and a player's card."""

from contextlib import ExitStack

from playwright.sync_api import Page, expect

from accounts.models import User
from tables.models import Table
from tests.e2e.inspection import PHONE, axe_faults, measure_box, small_targets
from tests.e2e.seated import PATIENCE, button, expect_online
from tests.e2e.visitor import Visitor
from tests.e2e.world import make_player
from tests.tables.driving import play_a_turn

CHAT = '.bar [data-action="chat"]'
UNREAD = '[data-region="unread"]'


def say(page: Page, phrase: str) -> None:
    page.locator(f'[data-phrase="{phrase}"]').evaluate("button => button.click()")


def test_unread_chat_is_marked_and_emotes_come_first(visit, playing):  # noqa: PLR0915
    table, player, other = playing
    with visit(player) as listener, visit(other) as speaker:
        page = listener.page
        page.set_viewport_size(PHONE)
        for visitor in (listener, speaker):
            visitor.open_table(table)
        expect(page.locator(UNREAD)).to_be_hidden()
        say(speaker.page, "good_luck")
        expect(page.locator(UNREAD)).to_have_text("11 new", timeout=PATIENCE)
        say(speaker.page, "smile")
        expect(page.locator(UNREAD)).to_have_text("22 new", timeout=PATIENCE)
        expect(page.locator(CHAT)).to_have_accessible_name("Chat 2 new")
        # The number of unread lines survives a reload.
        listener.visit(f"/tables/{table.pk}/")
        expect(page.locator(UNREAD)).to_have_text("22 new", timeout=PATIENCE)

        page.locator(CHAT).click()
        drawer = page.locator(".drawer")
        expect(drawer.get_by_role("tab", name="Chat")).to_be_focused()
        expect(page.locator('[data-region="chat-lines"] li')).to_have_text(
            [f"{other.player_name} Good luck!", f"{other.player_name} 🙂"]
        )
        expect(page.locator(UNREAD)).to_be_hidden()
        # The panel takes up at most half of the table. All emotes are visible, above the sentences.
        sheet = measure_box(page.locator(".drawer"))
        assert sheet["height"] <= 844 / 2
        assert round(sheet["y"] + sheet["height"]) == 844
        emotes = page.locator(".chat__emote")
        expect(emotes).to_have_count(6)
        for emote in emotes.all():
            expect(emote).to_be_in_viewport(ratio=1)
        above, below = (
            measure_box(page.locator(part)) for part in (".chat__emotes", ".chat__phrases")
        )
        assert above["y"] < below["y"]
        assert axe_faults(page) == []
        assert small_targets(page) == []
        # A line that arrives while the chat is open is not marked as unread.
        say(speaker.page, "clap")
        expect(page.locator('[data-region="chat-lines"] li')).to_have_count(3, timeout=PATIENCE)
        expect(page.locator(UNREAD)).to_be_hidden()
        page.keyboard.press("Escape")
        expect(drawer).to_be_hidden()
        expect(page.locator(CHAT)).to_have_attribute("aria-expanded", "false")


def test_watchers_talk_by_phrases_that_no_player_sees(visit, playing):  # noqa: PLR0915
    table, player, _other = playing
    asha, ravi = make_player("Asha"), make_player("Meera")
    lines = '[data-region="chat-lines"] li'
    with ExitStack() as stack:
        speaker, listener, seated, nobody = (
            stack.enter_context(visit(one)) for one in (asha, ravi, player, None)
        )
        for visitor in (speaker, listener, seated, nobody):
            visitor.page.set_viewport_size(PHONE)
            visitor.open_table(table)
        page = speaker.page
        page.locator(CHAT).click()
        expect(page.get_by_text("Only watchers see")).to_be_visible()
        expect(page.get_by_label("Say something")).to_be_hidden()
        page.get_by_role("button", name="Well played!").click()
        expect(page.locator(lines)).to_have_text(["Asha Well played!"], timeout=PATIENCE)
        expect(page.locator(UNREAD)).to_be_hidden()

        expect(listener.page.locator(UNREAD)).to_have_text("11 new", timeout=PATIENCE)
        listener.page.locator(CHAT).click()
        expect(listener.page.locator(lines)).to_have_text(["Asha Well played!"])
        assert axe_faults(listener.page) == []
        assert small_targets(listener.page) == []
        listener.page.get_by_text("Ignore or report a player").click()
        expect(listener.page.get_by_role("combobox", name="Player")).to_have_text("Asha")

        nobody.page.locator(CHAT).click()
        expect(nobody.page.locator(lines)).to_have_text(["Asha Well played!"], timeout=PATIENCE)
        expect(nobody.page.locator("[data-phrase]")).to_have_count(0)

        say(seated.page, "hello")
        seated.page.locator(CHAT).click()
        expect(seated.page.locator(lines)).to_have_text(
            [f"{player.player_name} Hello!"], timeout=PATIENCE
        )
        expect(seated.page.get_by_text("Only watchers see")).to_be_hidden()
        # Lines of the ignored player Asha are no longer shown.
        button(listener.page, "Ignore").click()
        expect_online(listener.page)
        listener.page.locator(CHAT).click()
        page.get_by_role("button", name="Thank you").click()
        expect(page.locator(lines)).to_have_count(2, timeout=PATIENCE)
        expect(nobody.page.locator(lines)).to_have_count(2, timeout=PATIENCE)
        expect(listener.page.locator(lines)).to_have_count(0)
        assert [one.faults for one in (speaker, listener, seated, nobody)] == [[], [], [], []]


def test_moves_player_cards_and_tabs_are_shown(visit, playing):
    table, player, other = playing
    with visit(player) as visitor:
        visitor.open_table(table)
        find_the_moves_again_after_a_reload(visitor, table)
        press_at_a_seat(visitor, other)
        walk_the_tabs_by_arrows(visitor.page)


def find_the_moves_again_after_a_reload(visitor: Visitor, table: Table) -> None:
    moves = visitor.page.locator('[data-region="moves"] li')
    expect(moves.first).to_have_text("The cards are dealt.", timeout=PATIENCE)
    before = moves.count() + 4  # two draws and two discards
    play_a_turn(table)
    play_a_turn(table)
    expect(moves).to_have_count(before, timeout=PATIENCE)
    told = moves.all_inner_texts()
    visitor.visit(f"/tables/{table.pk}/")
    expect(moves).to_have_count(before, timeout=PATIENCE)
    assert moves.all_inner_texts() == told
    play_a_turn(table)
    expect(moves).to_have_count(before + 2, timeout=PATIENCE)


def press_at_a_seat(visitor: Visitor, other: User) -> None:
    page = visitor.page
    page.get_by_role("button", name=f"About {other.player_name}").click()
    card = page.get_by_role("dialog", name=other.player_name)
    expect(card).to_contain_text("Playing since", timeout=PATIENCE)
    expect(card.get_by_role("link", name="Player page")).to_be_visible()
    assert axe_faults(page) == []
    card.get_by_role("button", name="Ignore").click()
    expect_online(page)
    page.get_by_role("button", name=f"About {other.player_name}").click()
    expect(card.get_by_role("button", name="Stop ignoring")).to_be_visible(timeout=PATIENCE)
    card.get_by_role("button", name="Close").click()
    expect(card).to_be_hidden()


def walk_the_tabs_by_arrows(page: Page) -> None:
    page.set_viewport_size(PHONE)
    page.locator('.bar [data-action="drawer"]').click()
    expect(page.get_by_role("tab", name="Discards")).to_be_focused()
    for name in ("Chat", "Moves", "Discards", "Chat"):
        page.keyboard.press("ArrowRight")
        expect(page.get_by_role("tab", name=name)).to_be_focused()
        expect(page.get_by_role("tabpanel")).to_have_accessible_name(name)
    page.locator(".drawer__close").click()
    expect(page.locator(".drawer")).to_be_hidden()
    expect(page.locator('.bar [data-action="drawer"]')).to_be_focused()
