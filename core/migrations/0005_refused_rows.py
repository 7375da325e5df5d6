from django.db import migrations

from core.database.written_checks import REFUSE_ROW


class Migration(migrations.Migration):

    dependencies = [
        ('core', '0004_setup_notes'),
    ]

    operations = [
        migrations.RunSQL(REFUSE_ROW, 'DROP FUNCTION core_refuse_row()'),
    ]
