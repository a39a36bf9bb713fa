"""A PostgreSQL database with the data of a year, which the database generates in few statements."""

import sys
import time
from collections.abc import Mapping

import psycopg
from psycopg import sql

from core import clock

DAYS = 390
EVENTS_PER_USER = 10

# Like the service's ids, the first 48 bits are the time, so that ids sort by time.
_ID = """
    CREATE OR REPLACE FUNCTION pg_temp.made_id(moment timestamptz, number bigint) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
        SELECT (lpad(to_hex((extract(epoch FROM moment) * 1000)::bigint), 12, '0') || '7' || substr(md5(number::text), 1, 3)
            || '8' || substr(md5(number::text), 4, 15))::uuid
    $$
"""

# The order of the statements matters. {n} is the number of rows. All times are in the past, and the newest is now.
_STATEMENTS: Mapping[str, str] = {
    "users": """
        INSERT INTO authsvc_user (id, email, password)
        SELECT pg_temp.made_id(moment, n), 'user' || n || '@example.com', 'argon2$none'
        FROM (SELECT n, {now} - interval '1 day' * {days} * (1 - n::float / {users}) AS moment
              FROM generate_series(1, {users}) n) filled
    """,
    "accounts": """
        INSERT INTO authsvc_accounts_account
            (user_id, email_key, credentials_epoch, failed_attempts, metadata, created_at, updated_at)
        SELECT pg_temp.made_id(moment, n), 'user' || n || '@example.com', 0, 0, '{{}}', moment, moment
        FROM (SELECT n, {now} - interval '1 day' * {days} * (1 - n::float / {users}) AS moment
              FROM generate_series(1, {users}) n) filled
    """,
    "last logins": """
        INSERT INTO authsvc_sessions_lastlogin (account_id, at)
        SELECT user_id, created_at + (now() - created_at) * random() FROM authsvc_accounts_account
        ON CONFLICT DO NOTHING
    """,
    "sessions": """
        INSERT INTO authsvc_sessions_family
            (id, account_id, current_token_id, started_at, authenticated_at, idle_expires_at, absolute_expires_at)
        SELECT pg_temp.made_id(now(), row_number() OVER ()), user_id, pg_temp.made_id(now(), row_number() OVER ()),
            now(), now(), now() + interval '30 days', now() + interval '180 days'
        FROM authsvc_accounts_account
    """,
    "tokens": """
        INSERT INTO authsvc_sessions_token (id, family_id, digest, ip, user_agent, created_at)
        SELECT current_token_id, id, sha256(id::text::bytea), '203.0.113.7', 'curl/8.0', started_at
        FROM authsvc_sessions_family
        WHERE NOT EXISTS (SELECT FROM authsvc_sessions_token WHERE id = current_token_id)
    """,
    "events": """
        INSERT INTO authsvc_accounts_event (id, type, user_id, ip, user_agent, metadata, created_at)
        SELECT pg_temp.made_id(moment, n),
            CASE WHEN n % 100 < 50 THEN 'login_success' WHEN n % 100 < 85 THEN 'token_rotated'
                 WHEN n % 100 < 95 THEN 'login_failed' WHEN n % 100 < 96 THEN 'anomaly_detected'
                 WHEN n % 100 < 97 THEN 'totp_enabled' WHEN n % 100 < 98 THEN 'password_hash_upgraded'
                 WHEN n % 100 < 99 THEN 'signup_success' ELSE 'session_revoked' END,
            (SELECT user_id::text FROM filled_account WHERE number = 1 + (n * 7919) % {users}),
            '198.51.100.' || (n % 250), 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0', '{{}}', moment
        FROM (SELECT n, {now} - interval '1 day' * {days} * (1 - n::float / {events}) AS moment
              FROM generate_series(1::bigint, {events}) n) filled
    """,
    "reviews": """
        INSERT INTO authsvc_console_review (event_id, status, note, reviewer_id, updated_at)
        SELECT id, CASE WHEN random() < 0.5 THEN 'confirmed' ELSE 'dismissed' END, '', 'operator', now()
        FROM authsvc_accounts_event WHERE type = 'anomaly_detected' AND random() < 0.3
    """,
    "deliveries": """
        INSERT INTO authsvc_accounts_delivery
            (id, event_id, event_type, user_id, ip, payload, status, attempts, error, created_at, next_attempt_at)
        SELECT id, id, type, user_id, ip, repeat('x', 250),
            CASE WHEN random() < 0.01 THEN 'failed' ELSE 'delivered' END, 1, '', created_at, created_at
        FROM authsvc_accounts_event WHERE created_at > now() - interval '30 days' AND type <> 'token_rotated'
    """,
    "log lines": """
        INSERT INTO authsvc_accounts_shippedlog (id, level, message, fields, created_at, next_attempt_at, shipped_at)
        SELECT id, CASE WHEN random() < 0.001 THEN 30 ELSE 20 END, 'request', '{{"status":200}}', created_at, created_at,
            created_at
        FROM authsvc_accounts_event WHERE created_at > now() - interval '14 days'
    """,
}


def fill(url: str, *, users: int) -> None:
    """Add that many users, ten events for each, sessions, and sent messages. The tables must be migrated already."""
    amounts = {"users": sql.Literal(users), "events": sql.Literal(users * EVENTS_PER_USER), "days": sql.Literal(DAYS)}
    with psycopg.connect(url, autocommit=True) as connection:
        amounts["now"] = sql.Literal(clock.now())
        connection.execute("SET synchronous_commit = off")
        connection.execute(_ID)
        for name, statement in _STATEMENTS.items():
            started = time.monotonic()
            if name == "events":
                # Each account has a sequence number, because a random choice among a million accounts is slow.
                connection.execute(
                    "CREATE TEMP TABLE filled_account AS "
                    "SELECT row_number() OVER (ORDER BY user_id) AS number, user_id FROM authsvc_accounts_account"
                )
                connection.execute("CREATE UNIQUE INDEX ON filled_account (number) INCLUDE (user_id)")
            rows = connection.execute(sql.SQL(statement).format(**amounts)).rowcount
            sys.stderr.write(f"{name:<12}{rows:>12,} in {time.monotonic() - started:6.1f} s\n")
        connection.execute("VACUUM ANALYZE")
