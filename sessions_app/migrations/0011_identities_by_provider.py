from django.db import migrations, models

from core.db.online_indexes import AddIndexOnline


class Migration(migrations.Migration):

    # PostgreSQL builds an index concurrently only outside a transaction.
    atomic = False

    dependencies = [
        ('authsvc_sessions', '0010_last_logins'),
    ]

    operations = [
        AddIndexOnline(
            model_name='identity',
            index=models.Index(fields=['provider', 'account'], name='authsvc_identity_provider'),
        ),
    ]
