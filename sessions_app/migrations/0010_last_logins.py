import django.db.models.deletion
from django.db import migrations, models

FILL_SQL = """
    INSERT INTO {last_login} (account_id, at)
    SELECT account_id, max(at) FROM (
        SELECT account_id, max(started_at) AS at FROM {family} GROUP BY account_id
        UNION ALL
        SELECT a.user_id, max(e.created_at) FROM {event} e JOIN {account} a ON CAST(a.user_id AS text) = e.user_id
        WHERE e.type = 'login_success' GROUP BY a.user_id
    ) logins
    GROUP BY account_id
"""


class CreateLastLogin(migrations.CreateModel):
    """Creates the table, and fills it from the stored sessions and events.

    SQLite gets no rows: an embedded deployment has no list of users, and stores its ids in another form than its events.
    """

    def database_forwards(self, app_label, schema_editor, from_state, to_state):
        super().database_forwards(app_label, schema_editor, from_state, to_state)
        model = to_state.apps.get_model(app_label, self.name)
        alias = schema_editor.connection.alias
        if schema_editor.connection.vendor == 'postgresql' and self.allow_migrate_model(alias, model):
            tables = {
                'last_login': model,
                'family': to_state.apps.get_model('authsvc_sessions', 'family'),
                'event': to_state.apps.get_model('authsvc_accounts', 'event'),
                'account': to_state.apps.get_model('authsvc_accounts', 'account'),
            }
            names = {name: schema_editor.quote_name(table._meta.db_table) for name, table in tables.items()}
            schema_editor.execute(FILL_SQL.format(**names))


class Migration(migrations.Migration):

    dependencies = [
        ('authsvc_accounts', '0022_events_by_network'),
        ('authsvc_sessions', '0009_pending_login_clients'),
    ]

    operations = [
        CreateLastLogin(
            name='LastLogin',
            fields=[
                ('account', models.OneToOneField(db_constraint=False, on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='+', serialize=False, to='authsvc_accounts.account')),
                ('at', models.DateTimeField()),
            ],
            options={
                'indexes': [models.Index(fields=['-at', '-account'], name='authsvc_last_login_at')],
            },
        ),
    ]
