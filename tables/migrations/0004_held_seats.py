from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    # The index is made while people sit down and leave.
    atomic = False
    dependencies = [("tables", "0003_absence")]

    operations = [
        AddIndexConcurrently(
            "seat",
            models.Index(
                fields=["user"], name="seat_held", condition=models.Q(left_at__isnull=True)
            ),
        )
    ]
