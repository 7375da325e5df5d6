
import django.contrib.postgres.fields
import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tables', '0013_seat_with_origin'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='MatchTrace',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('game', models.CharField(max_length=20, verbose_name='game')),
                ('version', models.PositiveSmallIntegerField()),
                ('ended_at', models.DateTimeField(verbose_name='ended at')),
                ('feeding', models.FloatField()),
                ('feeding_others', django.contrib.postgres.fields.ArrayField(base_field=models.FloatField(), size=None)),
                ('withheld', models.FloatField()),
                ('loss', models.FloatField()),
                ('decisions', models.PositiveIntegerField()),
                ('offered', models.PositiveIntegerField()),
                ('picked', models.PositiveIntegerField()),
                ('picks_due', models.FloatField()),
                ('paid', models.FloatField()),
                ('paid_due', models.FloatField()),
            ],
            options={
                'verbose_name': 'trace of a match',
                'verbose_name_plural': 'traces of matches',
            },
        ),
        migrations.CreateModel(
            name='PairEvidence',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('matches', models.PositiveIntegerField(default=0, verbose_name='matches together')),
                ('q', models.FloatField(default=1.0, verbose_name='rate of false discoveries')),
                ('kinds', models.JSONField(default=dict)),
                ('money', models.JSONField(default=dict)),
                ('computed_at', models.DateTimeField(null=True, verbose_name='computed at')),
                ('state', models.CharField(choices=[('NEW', 'New'), ('WATCHED', 'Watched'), ('CLOSED', 'Closed')], default='NEW', max_length=10, verbose_name='state')),
                ('verdict', models.CharField(blank=True, choices=[('', 'None yet'), ('UPHELD', 'They play together'), ('UNFOUNDED', 'Nothing wrong')], default='', max_length=10, verbose_name='verdict')),
                ('reason', models.CharField(blank=True, default='', max_length=500, verbose_name='reason')),
                ('decided_at', models.DateTimeField(blank=True, null=True, verbose_name='decided at')),
                ('kept_apart_since', models.DateTimeField(blank=True, null=True, verbose_name='kept apart since')),
            ],
            options={
                'verbose_name': 'pair of players',
                'verbose_name_plural': 'fair play',
                'permissions': [('decide_pairevidence', 'Can decide about two players')],
            },
        ),
        migrations.CreateModel(
            name='PairNight',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('day', models.DateField(unique=True)),
                ('tested', models.PositiveIntegerField()),
                ('shown', models.PositiveIntegerField()),
            ],
            options={
                'verbose_name': 'night of weighing',
                'verbose_name_plural': 'nights of weighing',
            },
        ),
        migrations.CreateModel(
            name='SittingKey',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('began_on', models.DateField(unique=True)),
                ('secret', models.BinaryField(max_length=32)),
            ],
            options={
                'verbose_name': 'key of sittings',
                'verbose_name_plural': 'keys of sittings',
            },
        ),
        migrations.CreateModel(
            name='SittingTrace',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('address_hash', models.BinaryField(max_length=16)),
                ('device_hash', models.BinaryField(max_length=16)),
                ('seen_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), verbose_name='last seen at')),
            ],
            options={
                'verbose_name': 'trace of a sitting',
                'verbose_name_plural': 'traces of sittings',
            },
        ),
        migrations.AddField(
            model_name='match',
            name='traced_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='matchtrace',
            name='giver',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='matchtrace',
            name='match',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='traces', to='tables.match'),
        ),
        migrations.AddField(
            model_name='matchtrace',
            name='taker',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='pairevidence',
            name='decided_by',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='decided by'),
        ),
        migrations.AddField(
            model_name='pairevidence',
            name='high',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='second player'),
        ),
        migrations.AddField(
            model_name='pairevidence',
            name='low',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='first player'),
        ),
        migrations.AddField(
            model_name='sittingtrace',
            name='key',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tables.sittingkey'),
        ),
        migrations.AddField(
            model_name='sittingtrace',
            name='user',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddIndex(
            model_name='matchtrace',
            index=models.Index(fields=['ended_at'], name='traces_by_age'),
        ),
        migrations.AddConstraint(
            model_name='matchtrace',
            constraint=models.UniqueConstraint(fields=('match', 'giver', 'taker'), name='a_match_is_traced_once_for_a_pair'),
        ),
        migrations.AddIndex(
            model_name='pairevidence',
            index=models.Index(condition=models.Q(('kept_apart_since__isnull', False)), fields=['low', 'high'], name='pairs_kept_apart'),
        ),
        migrations.AddIndex(
            model_name='pairevidence',
            index=models.Index(fields=['q'], name='pairs_by_evidence'),
        ),
        migrations.AddConstraint(
            model_name='pairevidence',
            constraint=models.UniqueConstraint(fields=('low', 'high'), name='two_players_are_one_pair'),
        ),
        migrations.AddConstraint(
            model_name='pairevidence',
            constraint=models.CheckConstraint(condition=models.Q(('low__lt', models.F('high'))), name='the_lower_player_comes_first'),
        ),
        migrations.AddIndex(
            model_name='sittingtrace',
            index=models.Index(fields=['key', 'address_hash'], name='sittings_by_address'),
        ),
        migrations.AddIndex(
            model_name='sittingtrace',
            index=models.Index(fields=['seen_at'], name='sittings_by_age'),
        ),
        migrations.AddConstraint(
            model_name='sittingtrace',
            constraint=models.UniqueConstraint(fields=('user', 'key', 'address_hash', 'device_hash'), name='a_place_is_traced_once_for_a_player'),
        ),
    ]
