"""What goes over a table's socket, in both directions; docs/protocol.schema.json is made of it."""
