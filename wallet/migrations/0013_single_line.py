from pathlib import Path

import django.db.models.deletion
from django.db import migrations, models

SQL = Path(__file__).resolve().parents[1] / "sql"


class Migration(migrations.Migration):
    dependencies = [("wallet", "0012_binary_seals")]

    operations = [
        migrations.RunSQL(
            (SQL / "0013_single_line.sql").read_text(),
            state_operations=[
                migrations.RemoveConstraint("transfer", "wallet_transfer_amount_is_positive"),
                migrations.RemoveConstraint("transfer", "wallet_transfer_accounts_differ"),
                migrations.RemoveConstraint("ledgeraccount", "wallet_account_held_is_not_negative"),
                migrations.RemoveConstraint("ledgeraccount", "wallet_account_closes_empty"),
                migrations.RemoveConstraint("entry", "wallet_entry_amount_is_not_zero"),
            ],
        ),
        migrations.RunSQL((SQL / "0013_seal_numbers.sql").read_text()),
        migrations.AlterField(
            model_name="journal",
            name="reverses",
            field=models.OneToOneField(
                db_constraint=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="reversed_by",
                to="wallet.journal",
            ),
        ),
    ]
