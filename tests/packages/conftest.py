import pytest

from packages.build import build_types


@pytest.fixture(scope="session")
def types(tmp_path_factory):
    """Build the archive of the TypeScript types, and return its path."""
    return build_types(tmp_path_factory.mktemp("types"))
