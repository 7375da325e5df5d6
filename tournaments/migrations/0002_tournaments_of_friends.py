from django.db import migrations
from django.utils.translation import gettext_lazy as _

from core.database.translated_texts import translate_everywhere


def take_names_of_hosts_away(apps, schema_editor):
    """Name the tournaments that players opened, and their tables, without their hosts' names."""
    Tournament = apps.get_model('tournaments', 'Tournament')
    RoundTable = apps.get_model('tournaments', 'RoundTable')
    Table = apps.get_model('tables', 'Table')
    usual, others = translate_everywhere(_('Tournament of friends'))
    opened = Tournament.objects.exclude(opened_by=None)
    rows = RoundTable.objects.filter(round__tournament__in=opened.values('pk')).select_related('round')
    for row in rows.iterator():
        number = f' · {row.round.number}.{row.number}'
        table = Table.objects.only('words').get(pk=row.table_id)
        words = dict(table.words)
        for code, name in others.items():
            words[code] = {**words.get(code, {}), 'name': name + number}
        Table.objects.filter(pk=table.pk).update(name=usual + number, words=words)
    opened.update(name=usual, words={code: {'name': name} for code, name in others.items()})


class Migration(migrations.Migration):

    dependencies = [
        ('tables', '0003_skeletons'),
        ('tournaments', '0001_initial'),
    ]

    operations = [
        migrations.RunPython(take_names_of_hosts_away, migrations.RunPython.noop, elidable=True),
    ]
