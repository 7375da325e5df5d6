from pathlib import Path

import django.utils.timezone
from django.db import migrations, models


SQL = Path(__file__).resolve().parents[1] / "sql"


class Migration(migrations.Migration):

    dependencies = [
        ('wallet', '0010_bonuses'),
    ]

    operations = [
        migrations.CreateModel(
            name='LedgerCheck',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('checked_at', models.DateTimeField(db_index=True, default=django.utils.timezone.now, verbose_name='checked')),
                ('found', models.IntegerField(verbose_name='findings')),
                ('findings', models.JSONField(default=list, verbose_name='first findings')),
                ('head', models.TextField(blank=True, verbose_name='last seal')),
            ],
            options={
                'verbose_name': 'ledger check',
                'verbose_name_plural': 'ledger checks',
                'db_table': 'wallet_ledger_check',
            },
        ),
        migrations.CreateModel(
            name='LedgerSeal',
            fields=[
                ('number', models.BigIntegerField(primary_key=True, serialize=False)),
                ('first_transfer_id', models.BigIntegerField()),
                ('last_transfer_id', models.BigIntegerField()),
                ('transfers', models.IntegerField()),
                ('previous_hash', models.BinaryField()),
                ('hash', models.BinaryField()),
                ('sealed_at', models.DateTimeField()),
            ],
            options={
                'db_table': 'wallet_seal',
            },
        ),
        migrations.CreateModel(
            name='SealHorizon',
            fields=[
                ('id', models.SmallIntegerField(primary_key=True, serialize=False)),
                ('transfer_id', models.BigIntegerField()),
                ('transaction_id', models.BigIntegerField()),
            ],
            options={
                'db_table': 'wallet_seal_horizon',
            },
        ),
        migrations.RunSQL((SQL / "0011_seals.sql").read_text()),
    ]
