"""The office's database: SQLite in one file by default, PostgreSQL by URL.

declared_tables how a table is declared, everything that walks over all tables, what an erasure leaves of a row
schema          the tables of the machinery; those of a feature are in its folder
cell_forms      the forms that a cell may have
triggers        the triggers that keep tables append-only
fingerprint     whether a database has the tables of its schema; bring it to the present one (migrations/)
database        open a database; transactions; errors of the database as one sentence
bulk, columns   many rows in one statement, or as columns
tables          whole tables, for backup and export
ledger          all acts, chained by digest
written_rows    the rows that each act wrote; proved_rows and written_once compare them
damaged_rows    rows that do not have the form in which they are written, or do not follow from others as they must
file_setting    one setting of an office in a file, for the help
settings, accounts, jobs, monitor_pages    the rows of the machinery
"""
