"""Values that several examples of the console's description share. The values are fictitious."""

EVENT_ID = "01a1fd90-2b4c-7e11-9d3a-6f7081a2b3c4"
DIGEST_TEXT = (
    "Gatehouse, 2026-11-14 09:45 to 2026-11-21 09:45 UTC (7 days)\n\n"
    "Signing in\n        412  logins (380 before, +8 %)\n\nTotal users: 97\n"
)
