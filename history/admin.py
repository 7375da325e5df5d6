"""The administration of this app, for Django; each package has its own module."""

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
