"""Routes of the reports. None of them changes a row."""

from accounts.core.http.view import Call, operation

from ..reports import config_tuning, diagnosis, digest, hash_migration, mfa_adoption, oauth_health
from ..serializers import DiagnoseQuery, LongWindowQuery, WindowQuery
from .base import AdminView


class HashMigration(AdminView):
    """Report how password hashes are rewritten."""

    @operation(query=WindowQuery, output=hash_migration.HashMigration)
    def get(self, call: Call) -> hash_migration.HashMigration:
        """Answer what new hashes are made with, and how often a stored one was rewritten to that."""
        return hash_migration.report(window_days=call.query["window_days"], now=call.now)


class MfaAdoption(AdminView):
    """Report how second factors are adopted."""

    @operation(query=WindowQuery, output=mfa_adoption.MfaAdoption)
    def get(self, call: Call) -> mfa_adoption.MfaAdoption:
        """Answer how often each kind of factor was added and removed."""
        return mfa_adoption.report(window_days=call.query["window_days"], now=call.now)


class OAuthHealth(AdminView):
    """Check the OAuth providers."""

    @operation(output=oauth_health.OAuthHealth)
    def get(self, call: Call) -> oauth_health.OAuthHealth:
        """Ask every configured provider at once, five seconds at most, and answer how it did."""
        return oauth_health.report()


class Diagnose(AdminView):
    """Diagnose why an address cannot log in."""

    @operation(query=DiagnoseQuery, output=diagnosis.Diagnosis)
    def get(self, call: Call) -> diagnosis.Diagnosis:
        """Answer what keeps somebody from signing in; an unknown address is `found: false`."""
        return diagnosis.diagnose(email=call.query["email"], now=call.now)


class FreshDigest(AdminView):
    """Get a fresh digest."""

    @operation(query=WindowQuery, output=digest.Digest)
    def get(self, call: Call) -> digest.Digest:
        """Answer a fresh digest that ends now; it is not recorded."""
        return digest.digest(window_days=call.query["window_days"], now=call.now)


class ConfigTuning(AdminView):
    """Suggest changes of settings."""

    @operation(query=LongWindowQuery, output=config_tuning.ConfigTuning)
    def get(self, call: Call) -> config_tuning.ConfigTuning:
        """Answer suggestions, and the counts that they rest on. Nothing takes one as its input."""
        return config_tuning.report(window_days=call.query["window_days"], now=call.now)
