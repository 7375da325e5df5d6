"""The frames of a table's socket in both directions. docs/protocol.schema.json is made from them."""
