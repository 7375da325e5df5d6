from tests.config.run.embedded.migrated import migrated

__all__ = ["migrated"]  # a fixture
