from config.settings.formats.en.formats import *  # noqa: F403
