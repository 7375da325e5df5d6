from django.db import migrations


class Migration(migrations.Migration):
    # Two spellings of one number would be two accounts. The table is allauth's.

    dependencies = [
        ('accounts', '0003_push_subscription_session'),
        ('socialaccount', '0006_alter_socialaccount_extra_data'),
    ]

    operations = [
        migrations.RunSQL(
            "ALTER TABLE socialaccount_socialaccount ADD CONSTRAINT phone_in_international_form"
            r" CHECK (provider <> 'phone' OR uid ~ '^\+[1-9][0-9]{5,14}$')",
            "ALTER TABLE socialaccount_socialaccount DROP CONSTRAINT phone_in_international_form",
        ),
    ]
