"""Puzzles of each kind, solved by keys and by pointer, on a phone and without an account."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Locator, Page, expect

from history.models import Puzzle, PuzzleAnswer, PuzzleRating, PuzzleRush
from history.puzzles.making import make_starting_puzzles
from tests.e2e.inspection import (
    LYING_PHONE,
    SMALL_PHONE,
    axe_faults,
    faults_in_both_themes,
    measure_box,
    resize,
    small_targets,
    too_wide,
)
from tests.e2e.world import list_puzzles_of_kinds, make_player, sign_in

KINDS = ("arrange", "discard", "drop")
# Returns elements of the felt that extend beyond its left or right edge.
OFF_THE_FELT = """() => {
  const felt = document.querySelector(".stage__felt");
  const { left, right } = felt.getBoundingClientRect();
  return [...felt.querySelectorAll(":is(.card, .tile, p, h3):not(.visually-hidden)")]
    .filter((part) => part.checkVisibility())
    .filter((part) => {
      const box = part.getBoundingClientRect();
      return box.left < left - 1 || box.right > right + 1;
    })
    .map((part) => part.outerHTML.slice(0, 120));
}"""
CARD = ".puzzle__choice:has(:enabled) .card"


@pytest.fixture(autouse=True)
def _puzzles() -> None:
    make_starting_puzzles()


def of_kind(kind: str) -> Puzzle:
    return Puzzle.objects.filter(game="indian", kind=kind).earliest("pk")


def open_puzzle(page: Page, site: str, puzzle: Puzzle) -> Locator:
    """Open the page of a puzzle. Return the form in which the hand is arranged."""
    page.goto(f"{site}/puzzles/{puzzle.pk}/")
    return page.locator('[data-region="groups"]')


def verdict(page: Page) -> Locator:
    return page.locator('[data-region="verdict"]')


def expect_right(page: Page) -> None:
    expect(verdict(page).get_by_role("heading", name="Right!")).to_be_visible()


def lay_group(form: Locator, faces: list[str]) -> None:
    for face in faces:
        card(form, face).click()
    form.locator('[data-action="group"]').click()


def card(form: Locator, face: str) -> Locator:
    """Return a card with this face that is not selected and in no group."""
    lying = form.locator('[data-part="loose"]')
    return lying.locator(f'[data-face="{face}"][aria-pressed="false"]').first


def groups_of(puzzle: Puzzle) -> list[list[str]]:
    return [group["cards"] for group in puzzle.solution["groups"]]


def right_of(puzzle: Puzzle) -> str:
    return str(puzzle.solution["right"][0])


def test_a_visitor_reaches_the_puzzle_of_the_day_from_the_first_page(page, live_site):
    page.goto(live_site)
    page.get_by_role("link", name="Solve the puzzle of the day").press("Enter")
    expect(page).to_have_url(re.compile(r"/puzzles/\d+/$"))
    page.goto(f"{live_site}/puzzles/")
    for title in ("Arrange this hand", "Which discard?", "Drop or play?"):
        link = page.get_by_role("link", name=re.compile(f"^Next puzzle ?: {re.escape(title)}$"))
        link.first.click()  # Indian rummy comes first
        expect(page.get_by_role("heading", name=title, level=1)).to_be_visible()
        page.get_by_role("link", name="Another one").click()
        expect(page.get_by_role("heading", name=title, level=1)).to_be_visible()
        page.get_by_role("link", name="Puzzles", exact=True).first.click()


def test_a_hand_is_arranged_by_keys_alone(page, live_site, nila):
    puzzle = of_kind("arrange")
    sign_in(page.context, live_site, nila)
    form = open_puzzle(page, live_site, puzzle)
    said = form.locator('[data-part="said"]')
    form.get_by_role("button", name="Group", exact=False).first.press("Enter")
    expect(said).to_have_text("Choose cards first.")
    for number, group in enumerate(groups_of(puzzle), start=1):
        for face in group:
            card(form, face).press("Space")
        page.keyboard.press("g")
        expect(form.get_by_role("group", name=f"Group {number}")).to_be_visible()
        expect(said).to_have_text(re.compile(f"^Group {number}: "))
    form.get_by_role("button", name="Answer", exact=True).press("Enter")
    expect(verdict(page).get_by_role("heading", name="Right!")).to_be_focused()
    answer = PuzzleAnswer.objects.get()
    assert (answer.puzzle_id, answer.is_right) == (puzzle.pk, True)
    expect(verdict(page)).to_contain_text("1,500 → 1,662")


def test_a_hand_is_arranged_with_the_pointer_and_cards_come_out_again(page, live_site):
    puzzle = of_kind("arrange")
    page.set_viewport_size(SMALL_PHONE)
    form = open_puzzle(page, live_site, puzzle)
    first, *later = groups_of(puzzle)
    # The first group is made in two steps: one card is left out at first and added afterwards.
    for face in first[:-1]:
        card(form, face).click()
    form.get_by_role("button", name="Group", exact=False).first.click()
    card(form, first[-1]).click()
    form.get_by_role("button", name="Add here").click()
    made = form.get_by_role("group", name="Group 1").locator("[data-face]")
    expect(made).to_have_count(len(first))
    # A wrong group can be dissolved.
    loose = form.locator('[data-part="loose"] [data-face]')
    before = loose.count()
    loose.first.click()
    form.locator('[data-action="group"]').click()
    expect(loose).to_have_count(before - 1)
    form.get_by_role("group", name="Group 2").locator("[data-face]").click()
    form.get_by_role("button", name="Take out of the group").click()
    expect(loose).to_have_count(before)
    expect(form.get_by_role("group", name="Group 2")).to_have_count(0)
    for group in later:
        lay_group(form, group)
    form.get_by_role("button", name="Answer", exact=True).click()
    expect_right(page)
    expect(verdict(page)).to_contain_text("not rated")
    assert not PuzzleAnswer.objects.exists()


def test_a_discard_is_chosen_by_keys_and_by_pointer(page, live_site):
    puzzle = of_kind("discard")
    for by in ("keys", "pointer"):
        open_puzzle(page, live_site, puzzle)
        radio = page.locator(f'input[type="radio"][value="{right_of(puzzle)}"]').first
        if by == "keys":
            radio.press("Space")
            page.keyboard.press("Enter")
        else:
            page.locator("label").filter(has=radio).locator(".card").click()
            page.get_by_role("button", name="Discard it").click()
        expect(verdict(page).get_by_role("heading", name="Right!")).to_be_focused()
        verdict(page).locator("summary").press("Enter")
        expect(verdict(page).get_by_text("points worse").first).to_be_visible()


def test_two_good_discards_have_verdicts_that_agree_with_themselves(page, live_site):
    """The second-best discard is accepted, but called good instead of right, and the best one is marked too."""
    puzzle = next(
        one
        for one in Puzzle.objects.filter(game="indian", kind="discard")
        if len(one.solution["right"]) > 1 and one.solution["options"][1]["loss"]
    )
    for place, heading, marked in ((0, "Right!", ["✓"]), (1, "Good", ["★", "✓"])):
        open_puzzle(page, live_site, puzzle)
        face = puzzle.solution["options"][place]["answer"]
        page.locator("label", has=page.locator(f'input[value="{face}"]')).first.click()
        page.get_by_role("button", name="Discard it").click()
        expect(verdict(page).get_by_role("heading", name=heading)).to_be_focused()
        expect(verdict(page)).not_to_contain_text("Better")
        assert sorted(page.locator(".puzzle__mark").all_inner_texts()) == marked
        expect(page.locator("main .button--primary")).to_have_text("Next puzzle")


def test_a_puzzle_lies_on_the_felt_with_the_tables_pieces(page, live_site):
    """From a width of 1,000 pixels, question and verdict are beside the felt; on a phone, above and below it."""
    puzzle = of_kind("discard")
    page.set_viewport_size({"width": 1366, "height": 768})
    open_puzzle(page, live_site, puzzle)
    felt, head, card = (page.locator(name) for name in (".stage__table", ".puzzle__head", CARD))
    assert 0.65 < measure_box(felt)["width"] / measure_box(page.locator(".stage"))["width"] < 0.75
    assert measure_box(head)["x"] > measure_box(felt)["x"] + measure_box(felt)["width"]
    assert measure_box(card.first)["height"] == pytest.approx(0.15 * 768, abs=2)
    expect(page.locator(".pile--closed .pile__wild .card")).to_have_count(1)
    expect(page.locator(".pile--open .card")).to_have_count(1)
    assert len(page.locator(".puzzle__hand .stage__cards").all()) == len(
        {face[1] for face in puzzle.task["hand"]}
    )
    resize(page, SMALL_PHONE)
    assert measure_box(head)["y"] < measure_box(felt)["y"]
    card.first.click()
    page.get_by_role("button", name="Discard it").click()
    below = measure_box(felt)["y"] + measure_box(felt)["height"]
    assert measure_box(verdict(page))["y"] >= below


def test_drop_or_play_is_answered_by_keys_and_by_pointer_and_counts_once(page, live_site):
    puzzle = of_kind("drop")
    name = {"drop": "Drop", "play": "Play"}[right_of(puzzle)]
    button = page.get_by_role("main").get_by_role("button", name=name, exact=True)
    for by in ("keys", "pointer"):
        player = make_player(by.title())
        sign_in(page.context, live_site, player)
        open_puzzle(page, live_site, puzzle)
        if by == "keys":
            button.press("Enter")
        else:
            button.click()
        expect_right(page)
        page.reload()
        expect_right(page)
        assert PuzzleRating.objects.get(user=player).answers == 1
        page.get_by_role("link", name="Next puzzle").press("Enter")
        expect(verdict(page)).to_have_count(0)
        expect(page).not_to_have_url(f"{live_site}/puzzles/{puzzle.pk}/")


def test_every_kind_fits_a_phone_before_and_after_an_answer(page, live_site):
    page.set_viewport_size(SMALL_PHONE)
    for kind in KINDS:
        page.emulate_media(color_scheme="light")
        puzzle = of_kind(kind)
        open_puzzle(page, live_site, puzzle)
        assert too_wide(page) == []
        if kind == "discard":
            choice = page.locator('label:has(input[type="radio"]:enabled)').last
            choice.locator(".card").click()
        page.locator('main form button[type="submit"]').first.click()
        expect(verdict(page)).to_be_visible()
        if kind == "arrange":
            expect_the_best_beside_an_arrangement_that_counts_too_much(page, puzzle)
        for details in verdict(page).locator("summary").all():
            details.click()
        assert faults_in_both_themes(page) == []
    page.goto(f"{live_site}/puzzles/")
    assert too_wide(page) == []


def expect_the_best_beside_an_arrangement_that_counts_too_much(page: Page, puzzle: Puzzle) -> None:
    expect(verdict(page).get_by_role("heading", name="Not the best")).to_be_visible()
    expect(verdict(page)).to_contain_text(f"at best it counts {puzzle.solution['points']}")
    expect(page.get_by_text("You made no group.")).to_be_visible()


def test_tiles_are_laid_onto_the_given_table(page, live_site):
    """Tiles from the rack join the groups on the table, whose own tiles may be rearranged."""
    puzzle = Puzzle.objects.filter(game="rummikub").earliest("pk")
    page.set_viewport_size(SMALL_PHONE)
    form = open_puzzle(page, live_site, puzzle)
    rows = form.locator('[data-part="groups"] [data-part="row"]')
    expect(rows).to_have_count(len(puzzle.task["table"]))
    assert [*small_targets(page), *axe_faults(page)] == []
    # All tiles are taken up, and laid as in the solution.
    for tile in form.locator('[data-part="groups"] [data-face]').all():
        tile.click()
    form.get_by_role("button", name="Take out of the group").click()
    expect(rows).to_have_count(0)
    for group in groups_of(puzzle):
        lay_group(form, group)
    expect(rows).to_have_count(len(groups_of(puzzle)))
    form.get_by_role("button", name="Answer", exact=True).click()
    expect_right(page)
    expect(verdict(page)).to_contain_text("can be laid.")


def test_a_rush_goes_from_puzzle_to_puzzle_and_shows_its_result(page, live_site, nila):
    sign_in(page.context, live_site, nila)
    page.goto(f"{live_site}/puzzles/")
    page.get_by_role("link", name="To the rush").click()
    page.get_by_role("button", name=re.compile("Begin the rush ?: Gin")).click()
    expect(page.locator("time[data-starts]")).to_have_text(re.compile(r"^[0-3]:\d\d$"))
    rush = PuzzleRush.objects.get()
    for solved in (1, 2):
        rush.refresh_from_db()
        right = right_of(Puzzle.objects.get(pk=rush.asked[-1]))
        button = page.locator(f'button[name="answer"][value="{right}"]')
        if button.count() == 0:
            page.locator(f'input[name="answer"][value="{right}"]').check(force=True)
            button = page.get_by_role("button", name="Discard it")
        button.click()
        expect(page.locator(".rush__score", has_text="Solved")).to_have_text(f"Solved {solved}")
        expect(page.locator(".rush__score", has_text="In a row")).to_have_text(f"In a row {solved}")
    # The page shows the result by itself when the time is up.
    rush.refresh_from_db()
    PuzzleRush.objects.update(ends_at=timezone.now() + timedelta(seconds=2))
    page.reload()
    expect(page.get_by_role("heading", name="Your last rush")).to_be_visible()
    expect(page.get_by_text("2 puzzles solved")).to_be_visible()
    page.get_by_role("link", name="Puzzle 2: solved").click()
    expect(page).to_have_url(f"{live_site}/puzzles/{rush.asked[1]}/")


@pytest.mark.parametrize("size", [LYING_PHONE, {"width": 640, "height": 360}])
def test_everything_lies_on_the_felt_of_a_phone_in_landscape(page, live_site, size):
    page.set_viewport_size(size)
    faults: list[str] = []
    puzzles = list_puzzles_of_kinds()
    for puzzle in puzzles:
        page.goto(f"{live_site}/puzzles/{puzzle}/")
        faults += [f"{puzzle}: {part}" for part in page.evaluate(OFF_THE_FELT)]
    assert len(puzzles) > 10
    assert not faults, "\n".join(faults)
