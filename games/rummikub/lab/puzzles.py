"""Puzzles of Rummikub: lay as many tiles as the rack and the table allow. The solver finds the answer exactly."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from games.analysis.puzzles import Puzzle, mask_deal, read_groups
from games.analysis.records import ask
from games.cards import FACE_TEXT, Card
from games.engine.base import JSON, text
from games.engine.base import gettext_noop as _
from games.engine.game import PuzzleKind
from games.rummikub.lab.analysis.report import ANALYSIS
from games.rummikub.lab.hand_tool import TOOL
from games.rummikub.rules.laying import BestLay, find_best_lay, lay_without_moving
from games.rummikub.rules.melds import JOKER, Melds

LAY: Final = "lay"
KINDS: Final[Mapping[str, PuzzleKind]] = {
    LAY: PuzzleKind(
        text(_("Lay as many tiles as you can")),
        text(
            _(
                "Move the tiles on the table as you like and lay as many of your own as you can. "
                "In the end every group has to be a meld."
            )
        ),
    )
}
_PACKS: Final = 2
# With more tiles the table does not fit on a phone.
_MOST_ON_TABLE: Final = 24
_LEAST_LAID: Final = 2


@dataclass(frozen=True)
class RummikubPuzzles:
    """The puzzles of Rummikub (`Game.puzzles`)."""

    kinds: Mapping[str, PuzzleKind] = field(default_factory=lambda: KINDS)

    def find(self, record: Mapping[str, Any], kind: str, *, rng: random.Random) -> Puzzle | None:
        """See `games.engine.game.DealPuzzles`.

        Returns the turn of the deal in which moving tiles on the table lets the player lay the most additional tiles.
        Tables with jokers are left out: what may be done with a joker depends on more than the player can see.
        """
        deal = mask_deal(record, _PACKS, rng)
        found: list[tuple[int, Puzzle]] = []
        for _number, step, situation in ANALYSIS.read_situations(deal):
            if (step.get("move") or {}).get("kind") not in ("lay", "draw"):
                continue
            place = situation.position.turn
            stand = situation.stand(place)
            if not stand.has_opened or not _is_plain(stand.table):
                continue
            best, still = find_best_lay(stand), lay_without_moving(stand)
            gain = 0 if best is None else best.tiles - (0 if still is None else still.tiles)
            if best is not None and gain > 0 and best.tiles >= _LEAST_LAID:
                found.append((gain, _make_puzzle(deal, stand.table, stand.rack, best)))
        return max(found, key=lambda one: one[0])[1] if found else None

    def judge(
        self, kind: str, task: Mapping[str, Any], solution: Mapping[str, Any], answer: str
    ) -> dict[str, Any]:
        """Judge a table ("4H 5H 6H|7S 7C PJ") with the hand tool. An answer is right if it lays the most tiles.

        `own` is the number of tiles that the answer lays, or None if the table is not valid. `loss` is the points of
        the solution's lay less those of the answer's, at least 0.
        """
        lying = [face for meld in task["table"] for face in meld]
        groups, left = read_groups([*lying, *task["hand"]], answer)
        said = ask(
            TOOL,
            "check",
            {
                "before": task["table"],
                "after": groups,
                "rack": task["hand"],
                "initial_met": True,
                "rules": task["rules"],
            },
        )
        own = len(task["hand"]) - len(left) if said["valid"] else None
        points = said["points"] if said["valid"] else 0
        return {
            "right": own == solution["points"],
            "loss": float(max(0, solution["worth"] - points)),
            "own": own,
        }


PUZZLES: Final = RummikubPuzzles()


def _is_plain(table: Melds) -> bool:
    tiles = [face for meld in table for face in meld.faces]
    jokers = any(card.face == JOKER for meld in table for card in meld.cards)
    return not jokers and 0 < len(tiles) <= _MOST_ON_TABLE


def _make_puzzle(
    deal: Mapping[str, Any], table: Melds, rack: Sequence[Card], best: BestLay
) -> Puzzle:
    laid = {card for meld in best.table for card in meld.cards}
    return {
        "task": {
            "rules": {name: value for name, value in deal["rules"].items() if name != "name"},
            "tiles": True,
            "hand": _faces(sorted(rack, key=lambda card: card.face)),
            "table": [_faces(meld.cards) for meld in table],
        },
        "solution": {
            "points": best.tiles,
            "worth": best.points,
            "groups": [{"cards": _faces(meld.cards)} for meld in best.table],
            "loose": _faces([card for card in rack if card not in laid]),
        },
    }


def _faces(cards: Sequence[Card]) -> list[JSON]:
    return [FACE_TEXT[card.face] for card in cards]
