from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    # The index is made while matches begin.
    atomic = False
    dependencies = [("tables", "0009_winding_up")]

    operations = [
        AddIndexConcurrently("match", models.Index(fields=["started_at"], name="match_started"))
    ]
