"""Where Django looks for the administration; each package has its own."""

from tables.chat.admin import ReportAdmin
from tables.desk.fault_admin import TableFaultAdmin
from tables.history.match_admin import MatchAdmin
from tables.seating.admin import SeatAdmin, TableAdmin, TableTemplateAdmin
from tables.support.admin import SupportCaseAdmin

__all__ = [
    "MatchAdmin",
    "ReportAdmin",
    "SeatAdmin",
    "SupportCaseAdmin",
    "TableAdmin",
    "TableFaultAdmin",
    "TableTemplateAdmin",
]
