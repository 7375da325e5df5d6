import django.contrib.postgres.fields
import django.contrib.postgres.indexes
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tables", "0003_entry_fee")]

    operations = [
        migrations.AddField(
            model_name="match",
            name="participants",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.BigIntegerField(), size=None, default=list
            ),
            preserve_default=False,
        ),
        migrations.AddIndex(
            model_name="match",
            index=django.contrib.postgres.indexes.GinIndex(
                fields=["participants"], name="match_participants"
            ),
        ),
    ]
