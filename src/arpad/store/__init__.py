"""The office's database, and all SQL: SQLite in one file by default, PostgreSQL by URL.

schema          the tables; most are append-only
triggers        the triggers that keep them append-only
migrate         bring a database to the present schema (migrations/)
database        open a database; transactions; errors of the database as one sentence
bulk            many rows in one statement
columns         many rows as columns
tables          whole tables, for backup and export
damaged_rows    rows that do not have the form in which they are written
ledger          all acts, chained by digest
settings        the settings of the office
register        players, their facts and identifiers
merges          two numbers that are one player
register_table  many players of the register as columns
name_index      the words of names
name_table      the words of many names as columns
search          players by name
reports         reports, decisions and registered events
lists           publications, and the reports that they rate
list_rows       the players on a list
list_text       the canonical text of a list
live_rows       live lists, as the rows by which they differ from the official ones
live_changes    the players and reports that acts are about
rankings        pages of a list by federation, sex and age
editions        the federation's own editions, as they were adopted
pages           what the pages of the site show
hidden_players  players who asked not to be shown
erasure         what an erasure reads and replaces
accounts        users, sessions, second factors, tokens, lock-out
monitor_pages   stored pages of the monitor
"""
