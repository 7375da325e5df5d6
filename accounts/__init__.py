"""People: who they are, how they sign in, and what they may do with their own account.

`people` registers, freezes and closes accounts, `identity` checks documents and regions, `sessions` holds and
revokes what is signed in, `api_tokens` lets players' programs in. Other players' views of a person are in
`players`.
"""
