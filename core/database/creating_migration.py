"""A migration that creates several models."""

from itertools import takewhile
from typing import Any

from django.db import migrations
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState


class CreatingMigration(migrations.Migration):
    """A migration that adds the models of its first `CreateModel` operations to the migration state together.

    For each new model Django renders all related models again. Nearly all models are related through the user, so
    creating them one at a time renders thousands of models and takes seconds.
    """

    def apply(
        self,
        project_state: ProjectState,
        schema_editor: Any,
        collect_sql: bool = False,  # noqa: FBT001, FBT002 - Django's signature
    ) -> ProjectState:
        creating = list(takewhile(_creates_a_model, self.operations))
        before = project_state.clone()
        project_state.__dict__.pop("apps", None)  # rendered on its next use, with the new models
        for operation in creating:
            operation.state_forwards(self.app_label, project_state)
        for operation in creating:
            operation.database_forwards(self.app_label, schema_editor, before, project_state)
        rest = migrations.Migration(self.name, self.app_label)
        rest.operations = self.operations[len(creating) :]  # type: ignore[misc] # as Django does
        return rest.apply(project_state, schema_editor, collect_sql)


def _creates_a_model(operation: Operation) -> bool:
    return isinstance(operation, migrations.CreateModel)
