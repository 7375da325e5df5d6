"""PostgreSQL and Valkey from Python wheels, for a machine that has neither.

They are the same servers as in a deployment. They listen on Unix sockets in one folder, and are started and stopped
by `bin/run` and `bin/test`. No system user is created, and no existing folder's mode is changed.
"""
