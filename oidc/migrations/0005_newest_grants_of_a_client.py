from django.db import migrations, models

from core.db.online_indexes import AddIndexOnline


class Migration(migrations.Migration):
    """Adds the index by which the console finds the newest grants of a client."""

    # PostgreSQL builds an index concurrently only outside a transaction.
    atomic = False

    dependencies = [
        ("authsvc_oidc", "0004_resources"),
        ("authsvc_sessions", "0011_identities_by_provider"),
    ]

    operations = [
        AddIndexOnline(
            model_name="grant",
            index=models.Index(fields=["client", "-family"], name="authsvc_grant_client"),
        ),
    ]
