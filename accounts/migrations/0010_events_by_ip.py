from django.db import migrations, models


class AddIndexOnline(migrations.AddIndex):
    """On PostgreSQL, requests still record events while the server builds the index."""

    def database_forwards(self, app_label, schema_editor, from_state, to_state):
        if schema_editor.connection.vendor != 'postgresql':
            super().database_forwards(app_label, schema_editor, from_state, to_state)
            return
        # A build that was interrupted leaves an invalid index of this name.
        schema_editor.execute(f'DROP INDEX CONCURRENTLY IF EXISTS {self.index.name}')
        model = to_state.apps.get_model(app_label, self.model_name)
        schema_editor.add_index(model, self.index, concurrently=True)


class Migration(migrations.Migration):

    # PostgreSQL builds an index concurrently only outside a transaction.
    atomic = False

    dependencies = [
        ('authsvc_accounts', '0009_recovery_tokens'),
    ]

    operations = [
        AddIndexOnline(
            model_name='event',
            index=models.Index(models.F('ip'), models.OrderBy(models.F('id'), descending=True), condition=models.Q(('ip', ''), _negated=True), name='authsvc_event_ip'),
        ),
    ]
