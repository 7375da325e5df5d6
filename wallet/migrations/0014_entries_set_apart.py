from pathlib import Path

from django.db import migrations

SQL = Path(__file__).resolve().parents[1] / "sql"


class Migration(migrations.Migration):
    dependencies = [("wallet", "0013_single_line")]

    operations = [migrations.RunSQL((SQL / "0014_entries_set_apart.sql").read_text())]
