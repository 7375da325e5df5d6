import pytest

from packages.build import build_types


@pytest.fixture(scope="session")
def types(tmp_path_factory):
    """The archive of the TypeScript types."""
    return build_types(tmp_path_factory.mktemp("types"))
