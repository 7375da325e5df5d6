from pathlib import Path

from django.db import migrations

SQL = Path(__file__).resolve().parents[1] / "sql"


class Migration(migrations.Migration):
    dependencies = [("wallet", "0015_refused_deposits")]

    operations = [migrations.RunSQL((SQL / "0016_fees_that_counted.sql").read_text())]
