"""A game and its model have to say the same."""


class Disagreement(AssertionError):  # noqa: N818 - says what it is
    """The game and the model say different things."""


def same(what: str, game: object, model: object) -> None:
    if game == model:
        return
    if isinstance(game, dict) and isinstance(model, dict) and game.keys() == model.keys():
        for name, told in game.items():
            same(f"{what}, {name}", told, model[name])
    raise Disagreement(f"{what}: game {game!r}, model {model!r}")
