"""Identity checks by document, and players' regions with the rules that hold there."""
