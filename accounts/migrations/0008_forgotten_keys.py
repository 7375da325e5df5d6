from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    atomic = False  # the index is made beside the writes

    dependencies = [("accounts", "0007_account_export")]

    operations = [
        # It waits for every transaction that runs, and keeps nobody waiting for it.
        migrations.RunSQL("SET lock_timeout = 0", "SET lock_timeout = 0"),
        AddIndexConcurrently(
            "apirequest", models.Index(fields=["made_at"], name="api_request_made_at")
        ),
        migrations.RunSQL("RESET lock_timeout", "RESET lock_timeout"),
    ]
