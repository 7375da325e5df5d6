"""The foundation of all apps: code that each of them needs and none of them owns.

It knows no players, tables or money. `administration` has the base of every page for staff and the audit log,
`site` the operator's name and choices. `database`, `stores` and `sockets` give access to PostgreSQL and Redis.
"""
