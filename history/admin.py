"""All admin classes of this app, for Django to register. Each package defines its own."""

from history.desk.correction_admin import MatchCorrectionAdmin
from history.desk.match_admin import MatchAdmin
from history.fairplay.admin import PairEvidenceAdmin
from history.puzzles.admin import PuzzleAdmin
from history.support.admin import SupportCaseAdmin

__all__ = [
    "MatchAdmin",
    "MatchCorrectionAdmin",
    "PairEvidenceAdmin",
    "PuzzleAdmin",
    "SupportCaseAdmin",
]
