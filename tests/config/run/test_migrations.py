"""Migrations can run while the previous version still serves, on tables with millions of rows."""

import os
from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

import pytest
from django.contrib.postgres import operations as postgres
from django.db import connection, migrations, models
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ModelState
from django.db.models import NOT_PROVIDED

from tests.programs import run_python

APPS: Final = {"core", "accounts", "tables", "players", "history", "tournaments", "wallet"}
# Tables that grow with every match, entry or request.
BIG: Final = {
    "core": {"auditentry", "outgoingemail"},
    "accounts": {"apirequest", "user"},
    "tables": {"change", "chatline", "deal", "match", "playerrating", "seat"},
    "players": {"daytotal", "ratingchange"},
    "history": {"matcharchive"},
    "tournaments": {"entrant", "roundtable", "roundseat"},
    "wallet": {
        "deposit", "entry", "hold", "holdline", "holdresolution", "journal", "ledgeraccount",
        "ledgerseal", "transfer",
    },
}  # fmt: skip

BREAKS_THE_OLD_VERSION = "the version that still runs uses it; drop it in a later release"
LOCKS_WHILE_IT_READS = (
    "writes wait while all rows are read; use {}, in a migration that is not atomic"
)
REWRITES = "all rows may be written anew under a lock; add a column, fill it by a job, then switch"
IN_ONE_TRANSACTION = "keeps its locks until all rows are done; do it in a job, some at a time"


BREAKING = (
    migrations.DeleteModel, migrations.RemoveField, migrations.RenameField, migrations.RenameModel,
    migrations.AlterModelTable,
)  # fmt: skip


def objections(
    app: str, migration: migrations.Migration | type[migrations.Migration]
) -> Iterator[str]:
    made = {
        operation.name_lower
        for operation in migration.operations
        if isinstance(operation, migrations.CreateModel)
    }
    for operation in migration.operations:
        name = str(getattr(operation, "model_name", "") or getattr(operation, "name", "")).lower()
        reasons = [] if name in made else list(_of_any_table(operation))
        if name in BIG.get(app, ()) and name not in made:
            reasons += _of_big_table(operation)
        if isinstance(operation, postgres.NotInTransactionMixin) and migration.atomic:
            reasons.append("set atomic = False")
        for reason in reasons:
            yield f"{operation.describe()}: {reason}"


def _of_any_table(operation: Operation) -> Iterator[str]:
    if isinstance(operation, BREAKING):
        yield BREAKS_THE_OLD_VERSION
    if isinstance(operation, migrations.RunPython) and not operation.elidable:
        yield IN_ONE_TRANSACTION
    if isinstance(operation, migrations.AddField):
        field = operation.field
        if isinstance(field, models.GeneratedField):
            return  # computed by the database, so it is filled by either version
        if not field.null and not field.many_to_many and field.db_default is NOT_PROVIDED:
            yield "the version that still runs does not fill it: null=True or db_default"


def _of_big_table(operation: Operation) -> Iterator[str]:
    if type(operation) is migrations.AddIndex:
        yield LOCKS_WHILE_IT_READS.format("AddIndexConcurrently")
    if type(operation) is migrations.AddConstraint:
        is_check = isinstance(operation.constraint, models.CheckConstraint)
        other = "AddConstraintNotValid and ValidateConstraint"
        yield LOCKS_WHILE_IT_READS.format(other if is_check else "CREATE UNIQUE INDEX CONCURRENTLY")
    if isinstance(operation, migrations.AlterField | migrations.AlterUniqueTogether):
        yield REWRITES
    if isinstance(operation, migrations.AddField):
        field: Any = operation.field
        if field.unique or field.db_index or getattr(field, "db_constraint", False):
            yield LOCKS_WHILE_IT_READS.format("a plain column, then AddIndexConcurrently")


def list_own_migrations() -> list[tuple[str, str, migrations.Migration]]:
    loader = MigrationLoader(None)
    return [
        (app, name, migration)
        for (app, name), migration in sorted(loader.disk_migrations.items())
        if app in APPS
    ]


def test_every_migration_is_compatible_with_the_running_version():
    """An app's first migration is exempt, as there is no previous version."""
    own = list_own_migrations()
    assert {app for app, _name, migration in own if migration.initial} == APPS
    refused = {
        (app, name): list(objections(app, migration))
        for app, name, migration in own
        if not migration.initial
    }
    assert {key: why for key, why in refused.items() if why} == {}


@pytest.mark.parametrize("app", sorted(APPS))
def test_a_first_migration_renders_models_only_a_few_times(app, transactional_db, monkeypatch):
    """Rendering all models again for each new model would take most of `migrate`'s time."""
    rendered: Counter[str] = Counter()
    render = ModelState.render

    def count_and_render(state, apps):
        rendered[f"{state.app_label}.{state.name}"] += 1
        return render(state, apps)

    monkeypatch.setattr(ModelState, "render", count_and_render)
    loader = MigrationLoader(connection)
    migration = loader.get_migration(app, "0001_initial")
    state = loader.project_state((app, migration.name), at_end=False)
    assert state.apps.get_models()  # `migrate` also renders the state first
    with connection.schema_editor(collect_sql=True) as editor:
        migration.apply(state, editor, collect_sql=True)
    assert any(line.startswith("CREATE TABLE") for line in editor.collected_sql)
    assert 0 < max(rendered.values()) < 5


def test_every_big_table_exists():
    state = MigrationLoader(None).project_state()
    models_of_state = set(state.models)
    for app, names in BIG.items():
        assert {(app, name) for name in names} <= models_of_state


INDEX = models.Index(fields=["at_ms"], name="x")
CHECK = models.CheckConstraint(condition=models.Q(at_ms__gt=0), name="x")
UNIQUE = models.UniqueConstraint(fields=["at_ms"], name="x")
INDEXED = models.IntegerField(null=True, db_index=True)
USER = models.ForeignKey("accounts.User", models.CASCADE, null=True)


@pytest.mark.parametrize(
    ("operation", "says"),
    [
        (migrations.AddIndex("change", INDEX), "AddIndexConcurrently"),
        (postgres.AddIndexConcurrently("change", INDEX), "atomic = False"),
        (migrations.AddConstraint("change", CHECK), "AddConstraintNotValid"),
        (migrations.AddConstraint("match", UNIQUE), "CREATE UNIQUE INDEX CONCURRENTLY"),
        (migrations.AlterField("change", "seat", models.IntegerField()), "written anew"),
        (migrations.AddField("change", "x", INDEXED), "plain column"),
        (migrations.AddField("change", "x", USER), "plain column"),
        (migrations.AddField("lesson", "x", models.IntegerField(default=1)), "db_default"),
        (migrations.RemoveField("lesson", "x"), "later release"),
        (migrations.RenameField("lesson", "x", "y"), "later release"),
        (migrations.DeleteModel("Lesson"), "later release"),
        (migrations.RunPython(migrations.RunPython.noop), "in a job"),
    ],
)
def test_a_migration_that_blocks_the_site_is_refused(operation, says):
    made = type("Migration", (migrations.Migration,), {"operations": [operation]})
    (objection,) = objections("tables", made)
    assert says in objection


@pytest.mark.parametrize(
    "operation",
    [
        migrations.AddIndex("lesson", INDEX),
        migrations.AddField("change", "x", models.IntegerField(null=True)),
        migrations.AddField("change", "x", models.IntegerField(db_default=0)),
        postgres.AddConstraintNotValid("change", CHECK),
        migrations.CreateModel("Change", [("id", models.BigAutoField(primary_key=True))]),
    ],
)
def test_a_safe_migration_is_accepted(operation):
    made = type("Migration", (migrations.Migration,), {"operations": [operation]})
    assert list(objections("tables", made)) == []


ASK = """
import django
django.setup()
from django.db import connection
with connection.cursor() as cursor:
    cursor.execute("SHOW lock_timeout")
    print(*cursor.fetchone())
"""


def test_migrations_have_a_lock_timeout():
    """Tested on a real connection of the owner, like that of `migrate`."""
    local = {"DJANGO_SETTINGS_MODULE": "config.settings.local", "DATABASE_AS_OWNER": "1"}
    assert run_python("-c", ASK, env={**os.environ, **local}).stdout == "3s\n"
