from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('authsvc_accounts', '0006_email_verify_tokens'),
    ]

    operations = [
        migrations.AlterField(
            model_name='mailtoken',
            name='purpose',
            field=models.CharField(choices=[('magic_link', 'Magic Link'), ('email_change', 'Email Change'), ('email_verify', 'Email Verify'), ('password_reset', 'Password Reset')], max_length=20),
        ),
    ]
