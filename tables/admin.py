"""All admin classes of this app, for Django to register. Each package defines its own."""

from tables.chat.admin import ReportAdmin
from tables.chat.sanction_admin import SanctionAdmin
from tables.desk.house_rules_admin import HostBoundsAdmin, HouseRulesAdmin
from tables.desk.table_admin import SeatAdmin, TableAdmin, TableFaultAdmin
from tables.desk.template_admin import TableTemplateAdmin

__all__ = [
    "HostBoundsAdmin",
    "HouseRulesAdmin",
    "ReportAdmin",
    "SanctionAdmin",
    "SeatAdmin",
    "TableAdmin",
    "TableFaultAdmin",
    "TableTemplateAdmin",
]
