"""Figures of finished days, computed once from the ledger and shown as tables and files."""
