"""The API for programs, ``/api/v1``: what the pages show, as JSON and CSV, described by ``/api/openapi.json``.

answers       what all answers share: refusals, examples, ETags, CSV
parameters    what several addresses take
calculated, reported, listed         the answers themselves, from which the OpenAPI document follows
calculations  the calculators
regulations   editions
players, lists, clubs, tournaments   what an office has published
draughts      points taken and given back, promotions, FMJD ratings
reports       checking and rating a report that is sent along; submissions with a token
matches       who the entrants of a report are; acceptance
running_tournaments   tournaments in progress, sent round by round with a token
limits        how often one address may ask
"""
