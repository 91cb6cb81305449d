"""The API for programs, ``/api/v1``: what the pages show, as JSON and CSV, described by ``/api/openapi.json``.

models        the answers, from which the OpenAPI document follows
calculations  the calculators
regulations   editions
office        players, lists, tournaments
reports       checking and rating a report that is sent along; submissions with a token
limits        how often one address may ask
"""
