"""The part of the REST API that every app shares, and the account's own resources."""
