"""The version of the installed package."""

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("openrummy-client")
except PackageNotFoundError:  # run from the repository
    __version__ = "0"
