from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("tables", "0012_companions")]

    operations = [
        AddIndexConcurrently(
            model_name="seat",
            index=models.Index(
                condition=models.Q(("address_mark", ""), ("device_mark", ""), _negated=True),
                fields=["left_at"],
                name="seat_with_origin",
            ),
        ),
    ]
