from django.apps import AppConfig


class PlayersConfig(AppConfig):
    name = "players"

    def ready(self) -> None:
        # Import now that the models are loaded.
        from players.clubs.invitations import connect  # noqa: PLC0415

        connect()
