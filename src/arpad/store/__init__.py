"""The office's database: SQLite in one file by default, PostgreSQL by URL.

schema      the tables, all but two of them append-only
protect     the triggers that hold what is kept
migrations  the steps from one schema to the next
connect     opening it; transactions; what the database complains about, as one sentence
ledger      every act, chained by digest
values      values of the core as canonical JSON, and back
register    players, their numbers and their names
reports     what was sent in, and what became of it
lists       publications, standings
"""
