"""Routes of the reports. None of them changes a row."""

from core.http.call import Call
from core.http.view import operation

from ..reports import config_tuning, diagnosis, digest, hash_migration, mfa_adoption, oauth_health, overview
from ..serializers import DiagnoseQuery, LongWindowQuery, WindowQuery
from .base import AdminView


class GetOverview(AdminView):
    """Get an overview."""

    @operation(query=WindowQuery, output=overview.Overview)
    def get(self, call: Call) -> overview.Overview:
        """Return the state of the deployment: attacks, work that waits for operators, late jobs, and counts of events."""
        return overview.report(window_days=call.query["window_days"], now=call.now)


class GetHashMigration(AdminView):
    """Report the migration of password hashes."""

    @operation(query=WindowQuery, output=hash_migration.HashMigration)
    def get(self, call: Call) -> hash_migration.HashMigration:
        """Return the configuration of new hashes, and the number of stored hashes that were rewritten to it."""
        return hash_migration.report(window_days=call.query["window_days"], now=call.now)


class GetMfaAdoption(AdminView):
    """Report the adoption of second factors."""

    @operation(query=WindowQuery, output=mfa_adoption.MfaAdoption)
    def get(self, call: Call) -> mfa_adoption.MfaAdoption:
        """Return how often users added and removed each kind of second factor."""
        return mfa_adoption.report(window_days=call.query["window_days"], now=call.now)


class CheckOauthProviders(AdminView):
    """Check the OAuth providers."""

    @operation(output=oauth_health.OAuthHealth)
    def get(self, call: Call) -> oauth_health.OAuthHealth:
        """Send a request to each configured provider, and return the results.

        The service sends the requests in parallel, and waits for at most about five seconds.
        """
        return oauth_health.report(now=call.now)


class DiagnoseLogin(AdminView):
    """Diagnose why a user cannot log in."""

    @operation(query=DiagnoseQuery, output=diagnosis.Diagnosis)
    def get(self, call: Call) -> diagnosis.Diagnosis:
        """Return the facts that may prevent the user from signing in. `found` is false for an unknown address."""
        return diagnosis.diagnose(email=call.query["email"], now=call.now)


class GetDigest(AdminView):
    """Get a fresh digest."""

    @operation(query=WindowQuery, output=digest.Digest)
    def get(self, call: Call) -> digest.Digest:
        """Return a digest of the time span that ends now. The service does not record it."""
        return digest.digest(window_days=call.query["window_days"], now=call.now)


class GetConfigTuning(AdminView):
    """Suggest changes to settings."""

    @operation(query=LongWindowQuery, output=config_tuning.ConfigTuning)
    def get(self, call: Call) -> config_tuning.ConfigTuning:
        """Return suggestions, and the counts of events on which they are based. The service never applies a suggestion."""
        return config_tuning.report(window_days=call.query["window_days"], now=call.now)
