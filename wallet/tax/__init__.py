"""Tax on net winnings (TDS), and the end of the financial year."""
