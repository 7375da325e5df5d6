"""Tables and the play at them: offered games, seats, moves and chat.

`models`, `catalog` and `house_rules` describe a table. `play` changes it, one transaction for each move. `seating`
fills and empties its seats. `live` sends it to sockets and acts on its deadlines. `chat` is the players' chat,
`learning` a newcomer's first deals, `desk` the pages for staff. Data that outlives a table is in `players` and
`history`.
"""
