
import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
    ]

    operations = [
        migrations.CreateModel(
            name='Journal',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.TextField(unique=True)),
                ('request_hash', models.BinaryField()),
                ('actor_id', models.BigIntegerField(null=True)),
                ('subject', models.TextField()),
                ('recorded_at', models.DateTimeField()),
                ('reverses', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='reversed_by', to='wallet.journal')),
            ],
        ),
        migrations.CreateModel(
            name='Hold',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('expires_at', models.DateTimeField(db_index=True)),
                ('journal', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, to='wallet.journal')),
            ],
        ),
        migrations.CreateModel(
            name='LedgerAccount',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.TextField()),
                ('owner_id', models.BigIntegerField()),
                ('currency', models.TextField(choices=[('CHIPS', 'CHIPS'), ('INR', 'INR')])),
                ('shard', models.SmallIntegerField(db_default=0, default=0)),
                ('may_be_negative', models.BooleanField(db_default=False, default=False)),
                ('balance', models.BigIntegerField(db_default=0, default=0)),
                ('held', models.BigIntegerField(db_default=0, default=0)),
                ('seq', models.BigIntegerField(db_default=0, default=0)),
                ('opened_at', models.DateTimeField()),
                ('closed_at', models.DateTimeField(null=True)),
            ],
            options={
                'verbose_name': 'ledger account',
                'verbose_name_plural': 'ledger accounts',
                'db_table': 'wallet_account',
                'constraints': [models.UniqueConstraint(fields=('kind', 'owner_id', 'currency', 'shard'), name='wallet_account_one_for_each_purpose'), models.UniqueConstraint(fields=('id', 'currency'), name='wallet_account_has_one_currency'), models.CheckConstraint(condition=models.Q(('balance__gte', models.F('held')), ('may_be_negative', True), _connector='OR'), name='wallet_account_is_never_overdrawn'), models.CheckConstraint(condition=models.Q(('held__gte', 0)), name='wallet_account_held_is_not_negative'), models.CheckConstraint(condition=models.Q(('closed_at', None), models.Q(('balance', 0), ('held', 0)), _connector='OR'), name='wallet_account_closes_empty')],
            },
        ),
        migrations.CreateModel(
            name='Transfer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('line', models.IntegerField()),
                ('currency', models.TextField(choices=[('CHIPS', 'CHIPS'), ('INR', 'INR')])),
                ('amount', models.BigIntegerField()),
                ('reason', models.TextField()),
                ('happened_at', models.DateTimeField()),
                ('destination', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='wallet.ledgeraccount')),
                ('journal', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.PROTECT, to='wallet.journal')),
                ('source', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='wallet.ledgeraccount')),
            ],
        ),
        migrations.CreateModel(
            name='Entry',
            fields=[
                ('pk', models.CompositePrimaryKey('account_id', 'seq', blank=True, editable=False, primary_key=True, serialize=False)),
                ('seq', models.BigIntegerField()),
                ('amount', models.BigIntegerField()),
                ('balance_after', models.BigIntegerField()),
                ('happened_at', models.DateTimeField()),
                ('account', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.PROTECT, to='wallet.ledgeraccount')),
                ('transfer', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.PROTECT, to='wallet.transfer')),
            ],
        ),
        migrations.CreateModel(
            name='HoldResolution',
            fields=[
                ('hold', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='resolution', serialize=False, to='wallet.hold')),
                ('outcome', models.TextField(choices=[('POSTED', 'posted'), ('VOIDED', 'released'), ('EXPIRED', 'expired')])),
                ('resolved_at', models.DateTimeField()),
                ('journal', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, to='wallet.journal')),
            ],
            options={
                'db_table': 'wallet_hold_resolution',
            },
        ),
        migrations.CreateModel(
            name='HoldLine',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('line', models.IntegerField()),
                ('currency', models.TextField(choices=[('CHIPS', 'CHIPS'), ('INR', 'INR')])),
                ('amount', models.BigIntegerField()),
                ('reason', models.TextField()),
                ('hold', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='lines', to='wallet.hold')),
                ('destination', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='wallet.ledgeraccount')),
                ('source', models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.PROTECT, related_name='hold_lines', to='wallet.ledgeraccount')),
            ],
            options={
                'db_table': 'wallet_hold_line',
                'constraints': [models.UniqueConstraint(fields=('hold', 'line'), name='wallet_hold_line_is_unique'), models.CheckConstraint(condition=models.Q(('amount__gt', 0)), name='wallet_hold_line_amount_is_positive'), models.CheckConstraint(condition=models.Q(('source', models.F('destination')), _negated=True), name='wallet_hold_line_accounts_differ')],
            },
        ),
        migrations.AddConstraint(
            model_name='transfer',
            constraint=models.UniqueConstraint(fields=('journal', 'line'), name='wallet_transfer_one_for_each_line'),
        ),
        migrations.AddConstraint(
            model_name='transfer',
            constraint=models.CheckConstraint(condition=models.Q(('amount__gt', 0)), name='wallet_transfer_amount_is_positive'),
        ),
        migrations.AddConstraint(
            model_name='transfer',
            constraint=models.CheckConstraint(condition=models.Q(('source', models.F('destination')), _negated=True), name='wallet_transfer_accounts_differ'),
        ),
        migrations.AddConstraint(
            model_name='entry',
            constraint=models.CheckConstraint(condition=models.Q(('amount', 0), _negated=True), name='wallet_entry_amount_is_not_zero'),
        ),
        migrations.AddConstraint(
            model_name='holdresolution',
            constraint=models.CheckConstraint(condition=models.Q(('outcome__in', ['POSTED', 'VOIDED', 'EXPIRED'])), name='wallet_hold_resolution_outcome_is_known'),
        ),
    ]
