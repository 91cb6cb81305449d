"""The API for programs, ``/api/v1``: what the pages show, as JSON and CSV, described by ``/api/openapi.json``.

routes        all routes by tag, the OpenAPI document, and what pages of other sites may read
responses     parts of all answers: refusals, examples, ETags, CSV
cursors       pages of long answers
parameters    what several addresses take
schemas       the answers themselves, from which the OpenAPI document follows
calculators   the calculators
regulations   editions
players, lists, live, clubs, tournaments   what an office has published
draughts      points taken and given back, promotions, FMJD ratings
reports       checking and rating a report that is sent along; submissions with a token
matches       who the entrants of a report are; acceptance
inbox         the waiting reports, for officers
desk          arbiters, deadlines, reference lists, players for pairing programs, for officers
register      players to add and to change, for officers
who_is_who    likely duplicates, merges and aliases, for officers
number_schemes   kinds of numbers, and which source of reports uses which, for officers
imports       files: a list to take over, a reference list, clubs, memberships, a register
changes       the changes of the office
running_tournaments   tournaments in progress, sent round by round with a token
limits        how often one address may ask
"""
