"""PostgreSQL and Valkey out of Python wheels, for a machine that has neither.

They are the same servers that a deployment runs, on unix sockets under one folder, started and
stopped by `bin/run` and `bin/test`. No system user is made and no mode of an existing folder is
changed.
"""
