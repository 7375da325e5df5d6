from pathlib import Path

from django.db import migrations

SQL = Path(__file__).resolve().parents[1] / "sql"


class Migration(migrations.Migration):
    dependencies = [("wallet", "0011_seals")]

    operations = [migrations.RunSQL((SQL / "0012_binary_seals.sql").read_text())]
