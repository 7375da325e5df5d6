"""A migration that changes the migration state once for several operations."""

from itertools import takewhile
from typing import Any, ClassVar

from django.db import migrations
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState


class JointMigration(migrations.Migration):
    """A migration that adds its first operations, those before any of another kind, to the migration state together.

    `kinds` are the classes of these operations. For each operation on its own, Django renders all related models again.
    Nearly all models are related through the user, so that would render thousands of models and take seconds. Do not
    name a kind of operation that needs the state between two of the operations.
    """

    kinds: ClassVar[tuple[type[Operation], ...]]

    def apply(
        self,
        project_state: ProjectState,
        schema_editor: Any,
        collect_sql: bool = False,  # noqa: FBT001, FBT002 - Django's signature
    ) -> ProjectState:
        together = list(takewhile(lambda one: isinstance(one, self.kinds), self.operations))
        before = project_state.clone()
        project_state.__dict__.pop("apps", None)  # rendered on its next use, with all changes
        for operation in together:
            operation.state_forwards(self.app_label, project_state)
        for operation in together:
            operation.database_forwards(self.app_label, schema_editor, before, project_state)
        rest = migrations.Migration(self.name, self.app_label)
        rest.operations = self.operations[len(together) :]  # type: ignore[misc] # as Django does
        return rest.apply(project_state, schema_editor, collect_sql)
