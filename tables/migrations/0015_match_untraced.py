from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    # The index is made while matches end.
    atomic = False
    dependencies = [("tables", "0014_fair_play")]

    operations = [
        AddIndexConcurrently(
            "match",
            models.Index(
                fields=["ended_at", "id"],
                name="match_untraced",
                condition=models.Q(status="FINISHED", traced_at__isnull=True),
            ),
        )
    ]
