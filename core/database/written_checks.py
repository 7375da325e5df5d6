"""Check constraints for rows that are updated often, evaluated only when one of their columns is written.

For each UPDATE, PostgreSQL reads every CHECK of a table anew from its catalogue, whichever columns are written. A
game's table has 16, which took a third of the time of a move's statement. A trigger on certain columns costs nothing
when other columns are updated.
"""

from typing import Any, Final, cast

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import CheckConstraint, Model, Q
from django.db.models.sql import Query

# Refuses a row as a CHECK of the trigger's name does.
REFUSE_ROW: Final = """
CREATE FUNCTION core_refuse_row() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  RAISE EXCEPTION 'new row for relation "%" violates check constraint "%"', TG_TABLE_NAME, TG_NAME
    USING ERRCODE = 'check_violation', SCHEMA = TG_TABLE_SCHEMA, TABLE = TG_TABLE_NAME, CONSTRAINT = TG_NAME;
END $$;
"""


class WrittenCheck(CheckConstraint):
    """A check constraint that a trigger enforces. The trigger's function is `REFUSE_ROW`."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, WrittenCheck) and super().__eq__(other)

    __hash__ = None  # type: ignore[assignment] # as a CheckConstraint

    def constraint_sql(
        self, model: type[Model] | None, schema_editor: BaseDatabaseSchemaEditor | None
    ) -> str:
        """Return no SQL for the statement that creates the table. The trigger is created after the table."""
        assert model is not None and schema_editor is not None  # noqa: S101, PT018 - Django has both
        schema_editor.deferred_sql.append(self.create_sql(model, schema_editor))
        return ""

    def create_sql(
        self, model: type[Model] | None, schema_editor: BaseDatabaseSchemaEditor | None
    ) -> Any:
        assert model is not None and schema_editor is not None  # noqa: S101, PT018 - Django has both
        quote, meta = schema_editor.quote_name, model._meta  # noqa: SLF001 - documented
        condition = cast("Q", self.condition)
        columns = sorted(
            str(meta.get_field(name).column)  # type: ignore[union-attr] # no relation from elsewhere
            for name in condition.referenced_base_fields
        )
        return (
            f"CREATE TRIGGER {quote(self.name)}"
            f" AFTER INSERT OR UPDATE OF {', '.join(map(quote, columns))} ON {quote(meta.db_table)}"
            f" FOR EACH ROW WHEN (NOT ({self._write_condition(model, schema_editor)}))"
            " EXECUTE FUNCTION core_refuse_row()"
        )

    def remove_sql(
        self, model: type[Model] | None, schema_editor: BaseDatabaseSchemaEditor | None
    ) -> Any:
        assert model is not None and schema_editor is not None  # noqa: S101, PT018 - Django has both
        quote = schema_editor.quote_name
        return f"DROP TRIGGER {quote(self.name)} ON {quote(model._meta.db_table)}"  # noqa: SLF001

    def _write_condition(self, model: type[Model], schema_editor: BaseDatabaseSchemaEditor) -> str:
        """Return the condition as SQL about the row NEW of the trigger."""
        query = Query(model)
        where = query.build_where(cast("Q", self.condition))
        compiler = query.get_compiler(connection=schema_editor.connection)
        sql, parameters = where.as_sql(compiler, schema_editor.connection)
        text = sql % tuple(schema_editor.quote_value(value) for value in parameters)
        return text.replace(f"{schema_editor.quote_name(query.get_initial_alias())}.", "NEW.")
