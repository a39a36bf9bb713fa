"""Values that several examples of the API's description share. The values are fictitious.

The access token is shortened.
"""

USER_ID = "01a1fd7f-8a59-70bd-8e98-a7342831606a"
SESSION_ID = "01a1fd7f-8a98-7229-b1e2-0b6ed1462637"
IDENTITY_ID = "01a1fd7f-8b12-7c44-9a06-5f2d1c0e7b38"
EMAIL = "alice@example.com"
PASSWORD = "correct horse battery"  # noqa: S105 - made up
ACCESS_TOKEN = (
    "eyJhbGciOiJFUzI1NiIsImtpZCI6Im9CZDBDdTJTIiwidHlwIjoiYXQrand0In0."  # noqa: S105 - made up
    "eyJzdWIiOiIwMWExZmQ3Zi04YTU5LTcwYmQtOGU5OC1hNzM0MjgzMTYwNmEiLCJleHAiOjE3OTUyNTU0OTh9.TsPjSU6jYF_PQnIX"
)
REFRESH_TOKEN = "srt_f3qJcM0yqk6bN5vE3uD1xT8rWz2oHhG7aLpQeYsVnKI"  # noqa: S105 - made up
PENDING_TOKEN = "spt_Xw4mB9tQ2kZr7nJc5vH1yL6sPd8gFa3eUoRiTlKbMNE"  # noqa: S105 - made up
CEREMONY_TOKEN = "sct_p6Yh3DkWq9Vz1sNc8bRt5mXe2gJu7fLa4oTiKdQwZPE"  # noqa: S105 - made up
MAILED_TOKEN = "Jk7Wn2vQx5bT9mRc4yHs1dLz8gFp3eAoUiKtVqNwXBE"  # noqa: S105 - made up
CHALLENGE = "m1Zc8vKq4tXr7nWb2yJs5dHp9gLf3eAoUiTkVqNxRQE"
CREDENTIAL_ID = "Qb9xV4tLw2kRz7nMc5yJs1dHpA"
MOMENT = "2026-11-21T09:45:56.582545Z"
EARLIER = "2026-11-14T09:45:56.582545Z"
LATER = "2027-02-19T09:45:56.582545Z"
FACTORS = ["totp", "passkey"]
"""The names of second factors."""
