from django.db import migrations

from wallet.ledger.database import read_all_sql


class Migration(migrations.Migration):
    """What Django's models cannot say: after the tables, whose indexes come at a migration's end."""

    dependencies = [("wallet", "0001_initial")]

    operations = [migrations.RunSQL(read_all_sql())]
