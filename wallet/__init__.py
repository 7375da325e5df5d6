"""Money: chips and cash on a double-entry ledger that the database itself enforces.

Tables and tournaments use only `api.py`. `sql` holds the database's functions and guards; only `ledger` calls
them. Amounts are whole numbers of the smallest unit.
"""
