from pathlib import Path

from django.db import migrations

SQL = Path(__file__).resolve().parents[1] / "sql"


class Migration(migrations.Migration):
    dependencies = [("wallet", "0003_fees")]

    operations = [migrations.RunSQL((SQL / "0004_leaner_guards.sql").read_text())]
