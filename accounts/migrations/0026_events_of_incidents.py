from django.db import migrations, models

import events.networks
from core.db.online_indexes import AddIndexOnline

TYPES = (
    'login_success',
    'login_failed',
    'login_stopped_at_factor',
    'account_locked',
    'anomaly_detected',
    'credential_stuffing_detected',
)


class Migration(migrations.Migration):

    # PostgreSQL builds an index concurrently only outside a transaction.
    atomic = False

    dependencies = [
        ('authsvc_accounts', '0025_search_of_users'),
    ]

    operations = [
        AddIndexOnline(
            model_name='event',
            index=models.Index(events.networks.NetworkOf('ip'), models.F('type'), models.OrderBy(models.F('id'), descending=True), condition=models.Q(models.Q(('ip', ''), _negated=True), ('type__in', TYPES)), name='authsvc_event_incident'),
        ),
    ]
