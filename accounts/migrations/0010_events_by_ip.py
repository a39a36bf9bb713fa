from django.db import migrations, models


class AddIndexOnline(migrations.AddIndex):
    """PostgreSQL builds the index while requests record events.

    SQLite gets no index, because only operators search by IP address and an embedded deployment has none.
    """

    def database_forwards(self, app_label, schema_editor, from_state, to_state):
        model = to_state.apps.get_model(app_label, self.model_name)
        alias = schema_editor.connection.alias
        if schema_editor.connection.vendor == 'postgresql' and self.allow_migrate_model(alias, model):
            # A build that was interrupted leaves an invalid index of this name.
            schema_editor.execute(f'DROP INDEX CONCURRENTLY IF EXISTS {self.index.name}')
            schema_editor.add_index(model, self.index, concurrently=True)

    def database_backwards(self, app_label, schema_editor, from_state, to_state):
        if schema_editor.connection.vendor == 'postgresql':
            super().database_backwards(app_label, schema_editor, from_state, to_state)


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
