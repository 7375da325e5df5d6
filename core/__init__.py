"""The floor under all apps: what each of them needs and none of them owns.

It knows no player, no table and no amount of money. `administration` has the base of every page for staff with its
audit log, `site` the operator's name and choices, `database`, `stores` and `sockets` the way to PostgreSQL and Redis.
"""
