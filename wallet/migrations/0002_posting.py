"""Guards and posting functions of the ledger, in SQL."""

from pathlib import Path

from django.db import migrations

SQL = Path(__file__).resolve().parents[1] / "sql"


class Migration(migrations.Migration):
    dependencies = [("wallet", "0001_ledger")]

    operations = [
        migrations.RunSQL((SQL / f"0002_{name}.sql").read_text())
        for name in ("guards", "posting", "batch", "holds")
    ]
