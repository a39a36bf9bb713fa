"""The projects in which a test runs.

PostgreSQL runs every test. The two tables name the tests that SQLite and the host site run too, below the reason. An
entry is a folder, which ends with a slash, a file, or a test in the form `file::name`. A test belongs in a table only if
its outcome can differ there. The marker `once` excludes a test from the other projects, even below an entry.

The tables apply to `./dev test` without paths. `./dev test --all` and a run of named paths leave out only tests with
`once`.
"""

import os
from collections.abc import Mapping, Sequence

import pytest
from django.conf import settings

TAKES_LONG = pytest.mark.skipif("ONLY_PLACED_TESTS" in os.environ, reason="takes long: name its file, or use --all")
"""The mark of a test that a run without paths skips.

Such a test builds something with tools of other languages, looks at many pages in a browser, or kills a command many
times.
"""

Table = Mapping[str, Sequence[str]]

ON_SQLITE: Table = {
    "one thread writes at a time, and a transaction begins with its lock": (
        "tests/domain/test_outbox.py",
        "tests/domain/test_transactions.py",
        "tests/domain/webhooks/test_recording.py",
        "tests/domain/webhooks/test_workers.py",
        "tests/processes/test_log_copy.py::test_a_service_copies_every_line_of_its_stop_and_of_its_parent_between_two_forks_once",
        "tests/processes/test_import.py",
        "tests/processes/test_sqlite_writers.py",
        "tests/processes/test_stop.py::test_a_stop_under_load_loses_no_request_and_ends_at_once",
        "tests/processes/test_webhook_worker.py::test_workers_on_one_database_never_send_one_event_at_the_same_time",
        "tests/races/",
    ),
    "the database is a file of the service, without a server": (
        "tests/domain/test_doctor.py",
        "tests/processes/test_files.py",
        "tests/processes/test_outage.py",
        "tests/processes/test_serve.py::test_concurrent_starts_on_one_database_migrate_in_turn",
        "tests/processes/test_serve.py::test_the_server_migrates_before_the_first_answer_and_sigterm_stops_every_process",
        "tests/processes/test_serve.py::test_without_worker_and_migration_only_web_processes_run",
    ),
    "a statement in hand-written SQL: UUIDs and times have other forms, and some statements have a branch": (
        "tests/api/accounts/test_delete_account.py",
        "tests/api/accounts/test_mail_languages.py",
        "tests/api/apikeys/test_list.py",
        "tests/api/apikeys/test_revocations.py",
        "tests/api/apikeys/test_revoke.py",
        "tests/api/host_site/test_extensions.py",
        "tests/api/mfa/test_account_recovery.py::test_a_link_completes_the_recovery_once",
        "tests/api/mfa/test_account_recovery.py::test_a_request_after_an_act_of_the_owner_starts_anew",
        "tests/api/mfa/test_account_recovery.py::test_an_operator_cancels_a_recovery_by_a_command",
        "tests/api/mfa/test_account_recovery.py::test_a_worker_that_was_away_sends_one_mail_and_then_the_mails_of_the_days_that_follow",
        "tests/api/oidc/test_applications.py",
        "tests/api/oidc/test_clients.py",
        "tests/api/oidc/test_possession.py",
        "tests/api/oidc/test_pushed.py",
        "tests/api/oidc/test_resources.py",
        "tests/api/oidc/test_sessions.py",
        "tests/api/oidc/test_token.py",
        "tests/api/sessions/test_detection.py",
        "tests/api/sessions/test_end_sessions.py",
        "tests/api/sessions/test_foreign_hashes.py::test_an_import_adds_its_users_to_the_counts_and_refusals_know_the_kinds",
        "tests/api/sessions/test_login.py",
        "tests/api/sessions/test_magic_link.py::test_a_network_stays_known_for_thirty_days_after_a_login",
        "tests/api/sessions/test_refresh.py",
        "tests/api/sessions/test_repeated_refresh.py",
        "tests/api/sessions/test_session_ended.py",
        "tests/api/sessions/test_magic_link_code.py",
        "tests/api/sessions/test_session.py",
        "tests/api/sessions/test_sessions.py",
        "tests/api/pages/account/test_devices.py",
        "tests/api/pages/account/test_home.py",
        "tests/api/pages/account/test_own_data.py",
        "tests/api/pages/account/test_passkeys.py",
        "tests/api/pages/account/test_two_step.py",
        "tests/api/pages/entrance/",
        "tests/api/pages/joining/",
        "tests/api/pages/site/",
        "tests/api/users/test_export.py",
        "tests/api/users/test_import.py",
        "tests/api/users/test_import_factors.py",
        "tests/api/users/test_import_formats.py",
        "tests/domain/shipping/test_storing.py",
        "tests/domain/test_authenticated_sessions.py",
        "tests/domain/test_detection.py",
        "tests/domain/test_heartbeat.py",
        "tests/domain/test_prune.py",
        "tests/domain/test_reencrypt.py",
        "tests/domain/test_restoration.py",
        "tests/domain/test_rollup.py",
        "tests/domain/webhooks/test_outcomes.py",
        "tests/model/test_family.py",
    ),
    "an error names the columns of a constraint instead of the constraint": (
        "tests/api/accounts/test_address_twins.py",
        "tests/api/accounts/test_email_change.py",
        "tests/api/accounts/test_signup.py",
        "tests/api/mfa/test_passkeys_register.py::test_a_credential_belongs_to_one_account",
        "tests/api/mfa/test_passkeys_register.py::test_a_credential_is_registered_once",
        "tests/api/oauth/test_sign_in.py",
    ),
    "limits count in another store": (
        "tests/api/test_mail_limits.py",
        "tests/api/test_rate_limits.py",
        "tests/domain/test_ratelimit.py",
    ),
    "the deployment has no console and no ask-AI": (
        "tests/api/askai/test_origins.py",
        "tests/api/askai/test_widget_script.py",
        "tests/api/console/test_grant_operator.py",
        "tests/api/console/test_no_console.py",
        "tests/api/conventions/test_health.py",
        "tests/api/conventions/test_openapi.py",
        "tests/api/conventions/test_probes.py",
        "tests/api/conventions/test_welcome.py",
        "tests/contract/test_callers.py",
        "tests/contract/test_envelope.py",
        "tests/contract/test_routes.py",
        "tests/domain/test_digests.py",
        "tests/domain/test_generated_docs.py",
        "tests/processes/test_grant_operator.py",
    ),
}

ON_HOST: Table = {
    "the site's own pages, users and settings": (
        "tests/api/host_site/",
        "tests/domain/test_hasher_checks.py",
        "tests/domain/test_host_database_checks.py",
        "tests/domain/test_mail_branding.py",
        "tests/domain/test_templates_check.py",
        "tests/domain/test_user_model_check.py",
    ),
    "the site's user model: its key, its fields, its constraints, and changes by the site": (
        "tests/api/accounts/test_change_password.py",
        "tests/api/accounts/test_delete_account.py",
        "tests/api/accounts/test_address_twins.py",
        "tests/api/accounts/test_email_change.py",
        "tests/api/accounts/test_export.py",
        "tests/api/accounts/test_mail_languages.py",
        "tests/api/accounts/test_password_reset.py",
        "tests/api/accounts/test_site_validators.py",
        "tests/api/accounts/test_signup.py",
        "tests/api/apikeys/test_verify.py",
        "tests/api/askai/test_ask_ai.py::test_the_answer_contains_the_callers_events_with_the_newest_first",
        "tests/api/askai/test_ask_ai.py::test_the_answer_contains_the_listed_sessions_in_the_same_order",
        "tests/api/askai/test_ask_ai.py::test_the_token_of_a_deleted_account_cannot_ask_about_its_events",
        "tests/api/console/test_acts.py",
        "tests/api/console/test_browser_sessions.py",
        "tests/api/console/test_entry.py",
        "tests/api/console/test_grant_operator.py",
        "tests/api/console/test_user_detail.py",
        "tests/api/console/test_user_inventory.py::test_the_sessions_are_those_that_the_user_sees",
        "tests/api/console/test_users.py",
        "tests/api/mfa/test_account_recovery.py::test_a_change_of_the_user_by_the_host_ends_the_recovery",
        "tests/api/mfa/test_account_recovery.py::test_a_link_completes_the_recovery_once",
        "tests/api/mfa/test_account_recovery.py::test_the_deletion_of_the_account_deletes_its_recovery",
        "tests/api/mfa/test_login_totp.py::test_a_user_whom_the_site_deactivated_completes_no_login",
        "tests/api/mfa/test_login_totp.py::test_a_wrong_code_is_recorded_with_the_user_of_the_login",
        "tests/api/mfa/test_passkey_only_login.py::test_a_passkey_signs_in_alone",
        "tests/api/mfa/test_passkey_only_login.py::test_the_login_finds_the_account_of_the_passkey",
        "tests/api/mfa/test_passkey_only_login.py::test_the_user_handle_of_another_account_is_refused",
        "tests/api/oauth/test_linking.py",
        "tests/api/oauth/test_sign_in.py",
        "tests/api/oidc/test_token.py",
        "tests/api/oidc/test_userinfo.py",
        "tests/api/sessions/test_foreign_hashes.py",
        "tests/api/sessions/test_login_fallback.py::test_a_yes_creates_the_account_and_the_old_system_is_never_asked_again",
        "tests/api/sessions/test_login_fallback.py::test_an_account_that_was_deleted_here_does_not_come_back",
        "tests/api/sessions/test_login.py::test_a_hash_of_another_format_is_rewritten_at_the_next_login",
        "tests/api/sessions/test_login.py::test_a_login_returns_a_token_pair",
        "tests/api/sessions/test_login.py::test_extra_members_that_name_another_user_change_nothing",
        "tests/api/sessions/test_login.py::test_the_fifth_failure_locks_the_account_for_fifteen_minutes",
        "tests/api/sessions/test_refresh.py",
        "tests/api/sessions/test_repeated_refresh.py",
        "tests/api/sessions/test_session_ended.py",
        "tests/api/sessions/test_magic_link_code.py",
        "tests/api/sessions/test_session.py",
        "tests/api/sessions/test_sessions.py",
        "tests/api/accounts/test_signup_closed.py",
        "tests/api/users/test_acts.py",
        "tests/api/users/test_create.py",
        "tests/api/users/test_invitations.py",
        "tests/api/users/test_deactivate.py",
        "tests/api/users/test_export.py",
        "tests/api/users/test_import.py",
        "tests/api/users/test_import_factors.py",
        "tests/domain/test_authenticated_sessions.py",
        "tests/domain/test_restoration.py",
        "tests/races/test_account_changes.py",
        "tests/races/test_django_sessions.py",
        "tests/races/test_host_changes.py",
        "tests/races/test_signup.py",
    ),
    "the site's PASSWORD_HASHERS, which the service does not use": ("tests/domain/test_hashing.py",),
    "the site's middleware, REST_FRAMEWORK and ATOMIC_REQUESTS": (
        "tests/api/console/test_browsable_api.py",
        "tests/api/console/test_error_pages.py",
        "tests/api/console/pages/test_logs.py::test_lines_are_found_by_request_text_route_level_and_time",
        "tests/api/conventions/test_accept.py",
        "tests/api/conventions/test_access_log.py",
        "tests/api/conventions/test_bodies.py",
        "tests/api/conventions/test_failures.py",
        "tests/api/conventions/test_headers.py",
        "tests/api/conventions/test_health.py",
        "tests/api/conventions/test_methods.py",
        "tests/api/conventions/test_openapi.py",
        "tests/api/conventions/test_unknown_paths.py",
        "tests/api/conventions/test_values.py",
        "tests/api/pages/account/test_address.py",
        "tests/api/pages/account/test_devices.py",
        "tests/api/pages/account/test_every_page.py",
        "tests/api/pages/account/test_home.py",
        "tests/api/pages/account/test_own_data.py",
        "tests/api/pages/account/test_password.py",
        "tests/api/pages/entrance/",
        "tests/api/pages/joining/",
        "tests/api/pages/site/",
        "tests/contract/test_callers.py",
        "tests/contract/test_envelope.py",
        "tests/contract/test_routes.py",
        "tests/domain/test_doctor.py",
        "tests/domain/test_transactions.py",
        "tests/processes/test_serve.py::test_the_server_migrates_before_the_first_answer_and_sigterm_stops_every_process",
    ),
    "the site's time zone and language": (
        "tests/api/console/pages/test_language.py",
        "tests/domain/test_digests.py",
        "tests/domain/test_rollup.py",
    ),
}

_TABLES: Mapping[str, Table] = {
    "tests.projects.sqlite": ON_SQLITE,
    "tests.projects.host_site.settings": ON_HOST,
}


def own_entries() -> list[str] | None:
    """Return the entries of the running project, or None when no table applies."""
    if "ONLY_PLACED_TESTS" not in os.environ or settings.SETTINGS_MODULE not in _TABLES:
        return None
    return [entry for entries in _TABLES[settings.SETTINGS_MODULE].values() for entry in entries]


def has_tests(path: str, entries: Sequence[str]) -> bool:
    """Return whether the entries name tests of this file, or of this folder. The path of a folder ends with a slash."""
    return any(entry.startswith(path) or is_in(path, entry) for entry in entries)


def is_placed(test: str, entries: Sequence[str]) -> bool:
    """Return whether the entries name the test, which has the form `file::name`."""
    return any(is_in(test, entry) for entry in entries)


def is_in(path: str, entry: str) -> bool:
    """Return whether the entry is the path, or a folder or file that contains it."""
    return path == entry or path.startswith(entry if entry.endswith("/") else f"{entry}::")
