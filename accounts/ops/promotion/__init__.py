"""The promotion: the move of an SQLite deployment to PostgreSQL while it serves.

All rows are copied in one transaction of PostgreSQL, and compared with the file during a short stop of all writes. A
promotion that dies at any point therefore leaves an empty target and a deployment that goes on.
"""
