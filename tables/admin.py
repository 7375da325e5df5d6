"""The administration of this app, for Django; each package has its own module."""

from tables.chat.admin import ReportAdmin
from tables.chat.sanction_admin import SanctionAdmin
from tables.desk.club_admin import ClubAdmin
from tables.desk.correction_admin import MatchCorrectionAdmin
from tables.desk.house_rules_admin import HostBoundsAdmin, HouseRulesAdmin
from tables.desk.table_admin import SeatAdmin, TableAdmin, TableFaultAdmin
from tables.desk.template_admin import TableTemplateAdmin
from tables.history.fairplay.admin import PairEvidenceAdmin
from tables.history.match_admin import MatchAdmin
from tables.history.puzzles.admin import PuzzleAdmin
from tables.support.admin import SupportCaseAdmin

__all__ = [
    "ClubAdmin",
    "HostBoundsAdmin",
    "HouseRulesAdmin",
    "MatchAdmin",
    "MatchCorrectionAdmin",
    "PairEvidenceAdmin",
    "PuzzleAdmin",
    "ReportAdmin",
    "SanctionAdmin",
    "SeatAdmin",
    "SupportCaseAdmin",
    "TableAdmin",
    "TableFaultAdmin",
    "TableTemplateAdmin",
]
