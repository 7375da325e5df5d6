from django.db import migrations

# Tables of private tournaments that were opened before they had the tournament's code.
_CODES = """
UPDATE tables_table AS t SET invite_code = private.invite_code
  FROM tournaments_roundtable AS r
  JOIN tournaments_round AS o ON o.id = r.round_id
  JOIN tournaments_tournament AS private ON private.id = o.tournament_id
 WHERE r.table_id = t.id AND private.invite_code <> '' AND t.invite_code = ''"""


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0018_words"),
        ("tournaments", "0007_leagues"),
    ]

    operations = [migrations.RunSQL(_CODES, migrations.RunSQL.noop)]
