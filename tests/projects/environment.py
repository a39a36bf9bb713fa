"""The environment variables of every test project. They replace the developer's own variables."""

import atexit
import os
import shutil
import tempfile
from pathlib import Path

KEY_FOR_FACTORS = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="
KEY_FOR_SETTINGS = "ZmVkY2JhOTg3NjU0MzIxMGZlZGNiYTk4NzY1NDMyMTA="

SCRATCH = Path(tempfile.mkdtemp(prefix="gatehouse-tests-"))
atexit.register(shutil.rmtree, SCRATCH, ignore_errors=True)

SERVICE = {
    "BASE_URL": "http://localhost:8000",
    "ENCRYPTION_KEY": KEY_FOR_FACTORS,
    "SETTINGS_ENCRYPTION_KEY": KEY_FOR_SETTINGS,
    "SIGNING_KEYS_FILE": str(SCRATCH / "signing-keys.json"),
    # The cheapest Argon2 costs. One test runs with the real costs.
    "ARGON2_MEMORY_KIB": "8",
    "ARGON2_TIME": "1",
    "PASSWORD_HASH_CONCURRENCY": "64",
    # Only the tests of the rate limits turn the limits on.
    "RATE_LIMITS": "off",
    "EMAIL_URL": f"file://{SCRATCH}/mails",
    # A host project that does not choose gets a warning.
    "SIGNUP": "open",
    # Only the tests of this mail turn the mail at a sign-up on.
    "EMAIL_VERIFICATION": "off",
    "RECOVERY_WAIT_HOURS": "72",
    # Only the tests of this setting demand a second factor of operators.
    "OPERATOR_SECOND_FACTOR": "optional",
    # No test calls a language model on the internet.
    "LLM_BASE_URL_ANTHROPIC": "http://127.0.0.1:9",
    "LLM_BASE_URL_OPENAI": "http://127.0.0.1:9",
}


def apply(database_url: str) -> None:
    """Set the environment of the standalone project, and remove the variables that the machine has set."""
    for name in (
        *("ALLOWED_HOSTS", "CORS_ALLOWED_ORIGINS", "TRUSTED_PROXIES", "DEBUG", "GEOIP", "CACHE_URL"),
        *("DATABASE_POOLER", "DATABASE_DIRECT_URL"),
    ):
        os.environ.pop(name, None)
    os.environ |= {"SECRET_KEY": "only-for-tests", "DATABASE_URL": database_url, "LOG_LEVEL": "info", **SERVICE}
