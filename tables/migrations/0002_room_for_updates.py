from django.db import migrations


class Migration(migrations.Migration):
    """A table's row is written with every move: room in its page saves writing the indexes."""

    dependencies = [("tables", "0001_initial")]

    operations = [
        migrations.RunSQL(
            "ALTER TABLE tables_table SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02)",
            "ALTER TABLE tables_table RESET (fillfactor, autovacuum_vacuum_scale_factor)",
        )
    ]
