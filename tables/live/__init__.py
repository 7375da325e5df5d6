"""Sockets of tables: admission, frames, delivery of versions, and presence. The clock acts on due deadlines."""
