from django.db import migrations, models

from core.db.online_indexes import AddIndexOnline, AddPartsIndexOnline


class Migration(migrations.Migration):

    # PostgreSQL builds an index concurrently only outside a transaction.
    atomic = False

    dependencies = [
        ('authsvc_accounts', '0024_logs_by_request'),
    ]

    operations = [
        AddIndexOnline(
            model_name='account',
            index=models.Index(fields=['created_at', 'user'], name='authsvc_account_order'),
        ),
        AddIndexOnline(
            model_name='account',
            index=models.Index(condition=models.Q(('locked_until', None), _negated=True), fields=['locked_until'], name='authsvc_account_locked'),
        ),
        AddIndexOnline(
            model_name='account',
            index=models.Index(condition=models.Q(('email_proven_at', None)), fields=['created_at'], name='authsvc_account_unproven'),
        ),
        AddIndexOnline(
            model_name='account',
            index=models.Index(condition=models.Q(('deactivated_at', None), _negated=True), fields=['created_at'], name='authsvc_account_deactivated'),
        ),
        AddPartsIndexOnline(
            model_name='account',
            index=models.Index(fields=['email_key'], name='authsvc_account_parts'),
        ),
    ]
