"""The picture of a result: the players with their points, and the winner's cards.

Messengers and other sites show it with a player's link to a match (Open Graph). It shows no money.
"""

import io
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from django.conf import settings
from django.utils.translation import gettext as _
from PIL import Image, ImageDraw, ImageFont

from core.site.content import site
from core.values.isolation import take_marks_off
from history.replay import build_last_view
from history.selectors import list_ended_deals, list_finished_deals
from tables.catalog import format_match_title
from tables.models import Match

WIDTH, HEIGHT = 1200, 630
# Draw everything at this scale and reduce it at the end, which smooths the edges.
_SCALE: Final = 2
_MARGIN: Final = 56
_FELT, _FELT_DEEP = (29, 96, 71), (10, 40, 30)
_GOLD, _WHITE, _SOFT = (244, 200, 96), (255, 255, 255), (200, 224, 213)
_FACE, _EDGE = (255, 253, 247), (120, 128, 124)
_INKS: Final = {"S": (20, 24, 26), "H": (196, 18, 47), "D": (196, 18, 47), "C": (20, 24, 26)}
_TILE_INKS: Final = {"S": (20, 24, 26), "H": (179, 18, 44), "D": (163, 74, 0), "C": (11, 79, 179)}
_JOKER: Final = (108, 43, 179)
_TILE_NUMBERS: Final = {"A": "1", "T": "10", "J": "11", "Q": "12", "K": "13"}
_GAP: Final = 14
_CROWN: Final = (
    (0, 0.2), (0.27, 0.5), (0.5, 0.05), (0.73, 0.5), (1, 0.2), (0.88, 0.9), (0.12, 0.9),
)  # fmt: skip
_STAR: Final = [
    (0.5 + radius * math.sin(turn * math.pi / 5), 0.5 - radius * math.cos(turn * math.pi / 5))
    for turn, radius in enumerate((0.5, 0.2) * 5)
]
# Character ranges of each script, with its font in static/vendor/noto.
_SCRIPTS: Final = {
    "Devanagari": range(0x0900, 0x0980),
    "Bengali": range(0x0980, 0x0A00),
    "Tamil": range(0x0B80, 0x0C00),
    "Telugu": range(0x0C00, 0x0C80),
    "Kannada": range(0x0C80, 0x0D00),
}


@dataclass(frozen=True, slots=True)
class _PictureRow:
    name: str
    points: str
    has_won: bool


def draw_picture(match: Match, number: int | None = None) -> bytes | None:
    """Return a PNG of a finished deal, or of the match with the cards of its last finished deal if `number` is None.

    Return None if there is no such deal, or if it is still being played.
    """
    ended = list_ended_deals(match)
    shown = max(ended, default=0) if number is None else number
    if shown not in ended:
        return None
    rows, winners = _list_rows(match, shown, whole=number is None)
    image = Image.new("RGB", (WIDTH * _SCALE, HEIGHT * _SCALE))
    draw = ImageDraw.Draw(image)
    _draw_felt(draw)
    _write(draw, (_MARGIN, 40), site().name, 40, _GOLD)
    _write(
        draw, (_MARGIN, 92), f"{format_match_title(match)} · {match.table.shown_name}", 28, _SOFT
    )
    free = HEIGHT - _MARGIN - _draw_rows(draw, rows)
    view = build_last_view(match, number=shown)
    # Games whose melds belong to everybody are played with tiles.
    _draw_groups(image, _list_groups(view, winners), free, are_tiles="table" in view)
    content = io.BytesIO()
    image.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS).save(content, "PNG")
    return content.getvalue()


def _list_rows(
    match: Match, number: int, *, whole: bool
) -> tuple[list[_PictureRow], frozenset[int]]:
    """Return a row for each player, with winners first, and the seats that won the deal."""
    deal = next(deal for deal in list_finished_deals(match) if deal.number == number)
    points, winners = deal.points, frozenset(deal.winners)
    if whole and match.result:
        points = match.result["points"]
        won = {int(seat) for seat, rank in match.result["ranks"].items() if rank == 1}
    else:
        won = set(winners)
    rows = [
        _PictureRow(player["name"], str(points[seat]) if seat in points else "-", int(seat) in won)
        for seat, player in match.players.items()
    ]
    return sorted(rows, key=lambda row: not row.has_won), winners


def _list_groups(view: Mapping[str, Any], winners: frozenset[int]) -> list[list[str]]:
    """Return the winning melds: those that a winner has laid, those that belong to all players, and a winner's hand."""
    laid = [meld for meld in view.get("melds", ()) if winners & set(meld["by"])]
    groups = [meld["cards"] for meld in (*view.get("table", ()), *laid)]
    for hand in (view.get("result") or {}).get("hands", ()):
        if hand["seat"] in winners:
            groups += hand["groups"]
    return groups


def _draw_felt(draw: ImageDraw.ImageDraw) -> None:
    for line in range(HEIGHT * _SCALE):
        part = line / (HEIGHT * _SCALE)
        colour = tuple(round(a + (b - a) * part) for a, b in zip(_FELT, _FELT_DEEP, strict=True))
        draw.line([(0, line), (WIDTH * _SCALE, line)], fill=colour)


def _draw_rows(draw: ImageDraw.ImageDraw, rows: Sequence[_PictureRow]) -> int:
    """Draw a line for each player. Return the position of the lower edge."""
    top, height = 150, min(56, 252 // len(rows))
    size = round(height * 0.58)
    _write(draw, (WIDTH - _MARGIN, 96), _("Points"), 24, _SOFT, to_the_left=True)
    for place, row in enumerate(rows):
        at = top + place * height
        colour = _GOLD if row.has_won else _WHITE
        if row.has_won:
            _draw_shape(draw, _CROWN, (_MARGIN, at + 2), size, _GOLD)
        _write(draw, (_MARGIN + 60, at), row.name, size, colour)
        _write(draw, (WIDTH - _MARGIN, at), row.points, size, colour, to_the_left=True)
    return top + len(rows) * height


def _draw_shape(
    draw: ImageDraw.ImageDraw,
    corners: Sequence[tuple[float, float]],
    at: tuple[int, int],
    size: int,
    colour: tuple[int, int, int],
) -> None:
    """Draw a polygon whose corners are given as fractions of `size`."""
    scaled = [((at[0] + x * size) * _SCALE, (at[1] + y * size) * _SCALE) for x, y in corners]
    draw.polygon(scaled, fill=colour)


def _draw_groups(
    image: Image.Image, groups: Sequence[Sequence[str]], free: int, *, are_tiles: bool
) -> None:
    """Draw the groups at the bottom, as large as the `free` height allows."""
    ratio = 1.25 if are_tiles else 1.4
    widths = range(92, 18, -2)
    width = next(
        (w for w in widths if len(_split_into_lines(groups, w)) * _measure_line(w, ratio) <= free),
        widths[-1],
    )
    lines, height = _split_into_lines(groups, width), _measure_line(width, ratio)
    top = HEIGHT - _MARGIN + _GAP - len(lines) * height
    for number, line in enumerate(lines):
        x = _MARGIN
        for group in line:
            for card in group:
                at = (x, top + number * height)
                _draw_card(image, card, at, width, height - _GAP, is_tile=are_tiles)
                x += _step(width)
            x += width - _step(width) + width // 3


def _measure_line(width: int, ratio: float) -> int:
    """Return the height of a line of cards, including the gap below it."""
    return round(width * ratio) + _GAP


def _step(width: int) -> int:
    """Return the offset from one card of a group to the next. It leaves the rank and suit of each card visible."""
    return round(width * 0.62)


def _split_into_lines(groups: Sequence[Sequence[str]], width: int) -> list[list[Sequence[str]]]:
    lines: list[list[Sequence[str]]] = [[]]
    used = 0
    for group in groups:
        own = _step(width) * (len(group) - 1) + width + width // 3
        if used and used + own > WIDTH - 2 * _MARGIN:
            lines.append([])
            used = 0
        lines[-1].append(group)
        used += own
    return lines


def _draw_card(
    image: Image.Image, card: str, at: tuple[int, int], width: int, height: int, *, is_tile: bool
) -> None:
    draw = ImageDraw.Draw(image)
    left, top = at[0] * _SCALE, at[1] * _SCALE
    right, bottom = left + width * _SCALE, top + height * _SCALE
    draw.rounded_rectangle((left, top, right, bottom), width // 9 * _SCALE, _FACE, _EDGE, _SCALE)
    face = card.partition(".")[0]
    size = round(width * 0.42)
    if face == "PJ":
        _draw_shape(draw, _STAR, (at[0] + width // 10, at[1] + width // 8), size, _JOKER)
        return
    rank, suit = face[0], face[1]
    if is_tile:
        ink = _TILE_INKS[suit]
        _write(
            draw, (at[0] + width // 8, at[1] + width // 6), _TILE_NUMBERS.get(rank, rank), size, ink
        )
        return
    ink = _INKS[suit]
    _write(draw, (at[0] + width // 11, at[1] + width // 20), rank.replace("T", "10"), size, ink)
    pip = round(width * 0.4) * _SCALE
    mask = _draw_pip(suit).resize((pip, pip))
    image.paste(ink, (left + width // 11 * _SCALE, top + round(width * 0.52) * _SCALE), mask)


@cache
def _draw_pip(suit: str) -> Image.Image:
    """Return the shape of a suit as a mask of 256 by 256 pixels."""
    mask = Image.new("L", (256, 256))
    draw = ImageDraw.Draw(mask)
    stem = [(128, 120), (92, 250), (164, 250)]
    if suit == "D":
        draw.polygon([(128, 6), (222, 128), (128, 250), (34, 128)], fill=255)
    elif suit == "C":
        for x, y in ((128, 66), (66, 150), (190, 150)):
            draw.ellipse((x - 58, y - 58, x + 58, y + 58), fill=255)
        draw.polygon(stem, fill=255)
    else:
        draw.ellipse((14, 14, 136, 136), fill=255)
        draw.ellipse((120, 14, 242, 136), fill=255)
        draw.polygon([(24, 106), (232, 106), (128, 246)], fill=255)
        if suit == "S":
            turned = mask.transpose(Image.Transpose.FLIP_TOP_BOTTOM).crop((0, 10, 256, 256))
            mask = Image.new("L", (256, 256))
            mask.paste(turned.resize((256, 220)), (0, 0))
            ImageDraw.Draw(mask).polygon(stem, fill=255)
    return mask


def _write(
    draw: ImageDraw.ImageDraw,
    at: tuple[int, int],
    text: str,
    size: int,
    colour: tuple[int, int, int],
    *,
    to_the_left: bool = False,
) -> None:
    """Write a line, each script in its own font. With `to_the_left` it ends at `at` rather than begins there."""
    parts = _split_by_script(take_marks_off(text))  # no font has a shape for them
    runs = [(part, _load_font(script, size * _SCALE)) for script, part in parts]
    x, y = float(at[0] * _SCALE), at[1] * _SCALE
    baseline = y + size * _SCALE
    if to_the_left:
        x -= sum(font.getlength(part) for part, font in runs)
    for part, font in runs:
        draw.text((x, baseline), part, colour, font, anchor="ls")
        x += font.getlength(part)


def _split_by_script(text: str) -> Iterator[tuple[str, str]]:
    """Yield the parts of a text with the name of their script, which is empty for Latin."""
    script, part = "", ""
    for character in text:
        own = next((name for name, ran in _SCRIPTS.items() if ord(character) in ran), "")
        if own != script and character.strip():
            if part:
                yield script, part
            script, part = own, ""
        part += character
    if part:
        yield script, part


@cache
def _load_font(script: str, size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    if not script:
        return ImageFont.load_default(size)
    path = settings.BASE_DIR / f"static/vendor/noto/NotoSans{script}-Bold.woff2"
    return ImageFont.truetype(path, size)
