"""Money: chips and cash on a double-entry ledger that the database itself enforces.

`api.py` is the one door for tables and tournaments. `sql` has the functions and guards, `ledger` their only callers.
An amount is a whole number of the smallest unit.
"""
