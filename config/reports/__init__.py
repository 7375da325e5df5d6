"""Figures of finished days, computed from the ledger once, as tables and files."""
