"""People who play: their pages, friends and presence, clubs, ratings, seasons, achievements and rewards.

It reads the matches of `tables` and changes none. `ranking` computes what a finished match does to its players; `clubs`
are groups with a chat, tables, an evening and a league of their own.
"""
