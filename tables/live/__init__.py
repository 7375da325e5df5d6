"""Sockets of tables: admission, frames, delivery of versions, presence; the clock over due deadlines."""
