from django.contrib.postgres.operations import (
    AddConstraintNotValid,
    AddIndexConcurrently,
    ValidateConstraint,
)
from django.db import migrations, models


class Migration(migrations.Migration):

    atomic = False

    dependencies = [
        ('tables', '0001_initial'),
    ]

    operations = [
        migrations.AddField(
            model_name='chatline',
            name='from_watcher',
            field=models.BooleanField(db_default=False, default=False, verbose_name='from a watcher'),
        ),
        AddIndexConcurrently(
            model_name='chatline',
            index=models.Index(condition=models.Q(('from_watcher', True)), fields=['table', '-id'], name='chat_of_watchers'),
        ),
        AddConstraintNotValid(
            model_name='chatline',
            constraint=models.CheckConstraint(condition=models.Q(('from_watcher', False), models.Q(('club__isnull', True), ('text', '')), _connector='OR'), name='watchers_say_phrases_at_tables'),
        ),
        ValidateConstraint(
            model_name='chatline',
            name='watchers_say_phrases_at_tables',
        ),
    ]
