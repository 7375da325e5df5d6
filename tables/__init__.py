"""A table and the play at it: what is offered, who sits where, every move, and what is said meanwhile.

`models`, `catalog` and `house_rules` say what a table is; `play` changes it, one transaction a move; `seating` fills
and empties its chairs; `live` brings it to sockets and lets its deadlines pass; `chat` is what people say there,
`learning` a newcomer's first deals, `desk` the pages for staff. What outlives a table lies in `players` and `history`.
"""
