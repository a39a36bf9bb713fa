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
        "tests/processes/test_imports.py::test_a_command_on_sqlite_does_not_import_the_driver_of_postgresql",
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
        "tests/api/oidc/test_devices.py",
        "tests/api/oidc/test_logout_tokens.py",
        "tests/api/oidc/test_possession.py",
        "tests/api/oidc/test_pushed.py",
        "tests/api/oidc/test_resources.py",
        "tests/api/oidc/test_sessions.py",
        "tests/api/oidc/test_token.py",
        "tests/api/sessions/test_detection.py",
        "tests/api/sessions/test_end_sessions.py",
        "tests/api/sessions/test_foreign_hashes.py::test_an_import_adds_its_users_to_the_counts_and_refusals_know_the_kinds",
        "tests/api/sessions/test_key_bound.py",
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
        "tests/api/accounts/test_password_reset.py::test_a_reset_of_a_never_proven_address_removes_the_factors_and_keys_of_a_stranger",
        "tests/api/accounts/test_password_reset.py::test_a_token_for_an_unknown_address_is_never_mailed",
        "tests/api/accounts/test_password_reset.py::test_all_sessions_pending_logins_and_mailed_tokens_end",
        "tests/api/accounts/test_password_reset.py::test_the_new_password_logs_in_and_the_old_one_does_not",
        "tests/api/accounts/test_password_reset.py::test_the_token_of_a_deleted_account_is_invalid",
        "tests/api/accounts/test_password_reset.py::test_without_a_factor_the_mailbox_of_a_new_address_takes_the_account_over",
        "tests/api/accounts/test_site_validators.py",
        "tests/api/accounts/test_signup.py",
        "tests/api/apikeys/test_verify.py",
        "tests/api/askai/test_ask_ai.py::test_the_answer_contains_the_callers_events_with_the_newest_first",
        "tests/api/askai/test_ask_ai.py::test_the_answer_contains_the_listed_sessions_in_the_same_order",
        "tests/api/askai/test_ask_ai.py::test_the_token_of_a_deleted_account_cannot_ask_about_its_events",
        "tests/api/console/test_acts.py",
        "tests/api/console/test_browser_sessions.py::test_a_change_of_the_password_ends_the_session",
        "tests/api/console/test_browser_sessions.py::test_a_user_whom_the_host_deactivates_or_gives_a_password_is_signed_out",
        "tests/api/console/test_browser_sessions.py::test_the_deletion_of_the_account_ends_the_session",
        "tests/api/console/test_entry.py",
        "tests/api/console/test_grant_operator.py",
        "tests/api/console/test_user_detail.py::test_a_deleted_user_is_not_found",
        "tests/api/console/test_user_detail.py::test_a_user_is_shown_with_sessions_and_activity",
        "tests/api/console/test_user_detail.py::test_an_id_in_another_spelling_is_not_found",
        "tests/api/console/test_user_detail.py::test_an_unknown_user_is_not_found",
        "tests/api/console/test_user_detail.py::test_the_integer_id_of_a_host_project_is_a_string",
        "tests/api/console/test_user_detail.py::test_the_list_and_the_detail_show_the_same_data_of_a_user",
        "tests/api/console/test_user_inventory.py::test_the_sessions_are_those_that_the_user_sees",
        "tests/api/console/test_users.py::test_a_blank_search_lists_all_users",
        "tests/api/console/test_users.py::test_a_locked_account_shows_the_end_of_its_lock",
        "tests/api/console/test_users.py::test_a_search_finds_only_the_new_address_after_a_change",
        "tests/api/console/test_users.py::test_a_search_finds_the_stored_address",
        "tests/api/console/test_users.py::test_a_search_with_another_spelling_finds_no_user",
        "tests/api/console/test_users.py::test_no_answer_holds_a_hash",
        "tests/api/console/test_users.py::test_users_are_browsed_with_the_newest_first",
        "tests/api/console/test_users.py::test_users_of_the_same_moment_have_a_stable_order",
        "tests/api/mfa/test_account_recovery.py::test_a_change_of_the_user_by_the_host_ends_the_recovery",
        "tests/api/mfa/test_account_recovery.py::test_a_link_completes_the_recovery_once",
        "tests/api/mfa/test_account_recovery.py::test_the_deletion_of_the_account_deletes_its_recovery",
        "tests/api/mfa/test_login_totp.py::test_a_user_whom_the_site_deactivated_completes_no_login",
        "tests/api/mfa/test_login_totp.py::test_a_wrong_code_is_recorded_with_the_user_of_the_login",
        "tests/api/mfa/test_passkey_only_login.py::test_a_passkey_signs_in_alone",
        "tests/api/mfa/test_passkey_only_login.py::test_the_login_finds_the_account_of_the_passkey",
        "tests/api/mfa/test_passkey_only_login.py::test_the_user_handle_of_another_account_is_refused",
        "tests/api/oauth/test_linking.py::test_a_deleted_account_has_no_identities",
        "tests/api/oauth/test_linking.py::test_a_link_adds_the_identity_to_the_callers_account",
        "tests/api/oauth/test_linking.py::test_a_trusted_issuer_gives_an_unproven_account_to_the_owner_of_the_mailbox",
        "tests/api/oauth/test_linking.py::test_an_address_that_is_proven_on_both_sides_leads_to_the_account",
        "tests/api/oauth/test_linking.py::test_an_issuer_that_is_not_trusted_enters_no_existing_account",
        "tests/api/oauth/test_linking.py::test_another_mailbox_that_only_looks_like_the_address_proves_nothing",
        "tests/api/oauth/test_linking.py::test_the_factors_of_an_account_that_was_never_proven_end_in_the_takeover",
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
        "tests/api/sessions/test_repeated_refresh.py::test_a_repeated_refresh_returns_a_fresh_pair_that_replaces_the_lost_one",
        "tests/api/sessions/test_repeated_refresh.py::test_a_successor_that_a_host_project_refused_counts_as_used",
        "tests/api/sessions/test_repeated_refresh.py::test_reuse_without_the_same_key_ends_the_session",
        "tests/api/sessions/test_session_ended.py::test_each_act_records_its_cause_and_the_sessions_that_it_ended",
        "tests/api/sessions/test_magic_link_code.py::test_a_code_logs_in_once_and_spends_its_link",
        "tests/api/sessions/test_magic_link_code.py::test_a_login_by_code_pauses_for_a_second_factor",
        "tests/api/sessions/test_magic_link_code.py::test_the_first_code_of_an_unproven_address_takes_the_account_over",
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
    "the site's PASSWORD_HASHERS, which the service does not use": (
        "tests/domain/test_hashing.py::test_a_hash_is_argon2id_in_djangos_format_and_salted",
        "tests/domain/test_hashing.py::test_a_hash_of_another_kind_verifies_and_needs_a_rehash",
        "tests/domain/test_hashing.py::test_a_salt_has_the_length_of_pynacl_or_in_a_host_project_that_of_django",
        "tests/domain/test_hashing.py::test_argon2_cffi_and_django_verify_a_new_hash",
        "tests/domain/test_hashing.py::test_the_hasher_settings_of_a_host_project_have_no_effect",
    ),
    "the site's middleware, REST_FRAMEWORK and ATOMIC_REQUESTS": (
        "tests/api/console/test_browser_sessions.py::test_a_form_needs_the_token_of_its_own_session",
        "tests/api/console/test_browser_sessions.py::test_a_form_of_another_site_is_refused",
        "tests/api/console/test_browser_sessions.py::test_every_page_has_a_strict_policy_with_a_new_nonce",
        "tests/api/console/test_browser_sessions.py::test_no_answer_of_the_api_sets_a_cookie",
        "tests/api/console/test_browser_sessions.py::test_the_console_leads_to_the_sign_in_and_back",
        "tests/api/console/test_browsable_api.py::test_a_form_cannot_choose_another_method",
        "tests/api/console/test_browsable_api.py::test_a_form_needs_the_token_of_its_session_and_its_own_origin",
        "tests/api/console/test_browsable_api.py::test_a_form_writes_what_its_fields_mean",
        "tests/api/console/test_browsable_api.py::test_an_error_is_a_page_with_the_envelope",
        "tests/api/console/test_browsable_api.py::test_each_route_is_a_page_for_the_operator_of_the_session",
        "tests/api/console/test_browsable_api.py::test_json_in_a_form_is_read_as_in_a_body",
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
        "tests/api/pages/account/test_every_page.py::test_a_form_counts_only_with_the_token_of_the_session",
        "tests/api/pages/account/test_every_page.py::test_each_page_has_one_heading_forbids_frames_and_runs_few_statements",
        "tests/api/pages/account/test_every_page.py::test_the_sign_in_leads_back_to_the_page",
        "tests/api/pages/account/test_home.py",
        "tests/api/pages/account/test_own_data.py",
        "tests/api/pages/account/test_password.py",
        "tests/api/pages/entrance/",
        "tests/api/pages/joining/",
        "tests/api/pages/site/",
        "tests/contract/test_callers.py",
        "tests/contract/test_envelope.py",
        "tests/contract/test_routes.py",
        "tests/domain/test_doctor.py::test_a_healthy_deployment_has_no_fault_and_advice_fails_nothing",
        "tests/domain/test_doctor.py::test_a_check_of_a_site_warns_of_keys_that_cannot_be_made",
        "tests/domain/test_doctor.py::test_a_missing_migration_is_a_fault_and_ends_the_examination",
        "tests/domain/test_doctor.py::test_a_system_check_that_fails_is_a_fault",
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
