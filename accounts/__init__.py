"""Accounts of people: their identity, their sign-in, and what they may do with their own accounts.

`people` registers, freezes and closes accounts, and `identity` checks documents and regions. `sessions` keeps and
revokes sessions, and `api_tokens` admits players' programs. Other players' views of a person are in `players`.
"""
