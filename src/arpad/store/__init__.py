"""The office's database: SQLite in one file by default, PostgreSQL by URL.

schema      the tables, append-only but for what can be made anew
protect     the triggers that hold what is kept
migrations  the steps from one schema to the next
connect     opening it; transactions; what the database complains about, as one sentence
form        whether rows have the form in which they are written
ledger      every act, chained by digest
values      values of the core as canonical JSON, and back
register    players, their numbers and their names
reports     what was sent in, and what became of it
lists       publications, standings
rankings    everybody's place on a list, by federation, sex and age
searching   players by name
editions    the federation's own editions, as they were adopted
many        rows by the hundred thousand
chain       many acts sealed at once
"""
