"""How many sit at a table stands in its row, kept by the database itself: of many thousand tables
those with a free chair are found without counting seats."""

from django.db import migrations, models

# Rows of seats are made one by one and, for a round of a tournament, by the thousand.
TRIGGERS = """
CREATE FUNCTION tables_count_new_seats() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE tables_table t SET seats_taken = t.seats_taken + made.number
  FROM (SELECT table_id, count(*) AS number FROM new_seats WHERE left_at IS NULL GROUP BY table_id)
    AS made
  WHERE t.id = made.table_id;
  RETURN NULL;
END $$;
CREATE FUNCTION tables_count_left_seats() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    UPDATE tables_table SET seats_taken = seats_taken - 1 WHERE id = OLD.table_id;
  ELSE
    UPDATE tables_table
    SET seats_taken = seats_taken + CASE WHEN NEW.left_at IS NULL THEN 1 ELSE -1 END
    WHERE id = NEW.table_id;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER tables_seat_is_taken AFTER INSERT ON tables_seat
  REFERENCING NEW TABLE AS new_seats FOR EACH STATEMENT EXECUTE FUNCTION tables_count_new_seats();
CREATE TRIGGER tables_seat_is_left AFTER UPDATE OF left_at ON tables_seat
  FOR EACH ROW WHEN ((OLD.left_at IS NULL) <> (NEW.left_at IS NULL))
  EXECUTE FUNCTION tables_count_left_seats();
CREATE TRIGGER tables_seat_is_gone AFTER DELETE ON tables_seat
  FOR EACH ROW WHEN (OLD.left_at IS NULL) EXECUTE FUNCTION tables_count_left_seats();
UPDATE tables_table t SET seats_taken = seated.number
FROM (SELECT table_id, count(*) AS number FROM tables_seat WHERE left_at IS NULL GROUP BY table_id)
  AS seated
WHERE t.id = seated.table_id;
"""
NO_TRIGGERS = """
DROP TRIGGER tables_seat_is_gone ON tables_seat;
DROP TRIGGER tables_seat_is_left ON tables_seat;
DROP TRIGGER tables_seat_is_taken ON tables_seat;
DROP FUNCTION tables_count_left_seats();
DROP FUNCTION tables_count_new_seats();
"""


class Migration(migrations.Migration):
    dependencies = [("tables", "0015_match_untraced")]

    operations = [
        migrations.AddField(
            "table",
            "seats_taken",
            models.SmallIntegerField(db_default=0, default=0, editable=False),
        ),
        migrations.RunSQL(TRIGGERS, NO_TRIGGERS),
    ]
