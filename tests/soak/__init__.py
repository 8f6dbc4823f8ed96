"""Play under load while everything fails: processes, database, disk, relay, clock. Then look for harm.

`python -m tests.soak --minutes 10` does it once on each database.
"""
