from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    # The table is one of the large ones. A job fills the rows that are there.
    atomic = False

    dependencies = [("accounts", "0015_past_sessions")]

    operations = [
        migrations.AddField(
            model_name="user",
            name="name_skeleton",
            field=models.CharField(
                blank=True, db_default="", default="", editable=False, max_length=100
            ),
        ),
        AddIndexConcurrently(
            model_name="user",
            index=models.Index(fields=["name_skeleton"], name="accounts_user_name_skeleton"),
        ),
    ]
