"""The base of every page for staff: the audit log, reasons, lists as files, backups."""
