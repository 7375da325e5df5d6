"""The rules of a match in words, and a form for every rule of a game's rule book."""
