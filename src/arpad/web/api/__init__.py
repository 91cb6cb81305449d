"""The API for programs, ``/api/v1``: what the pages show, as JSON and CSV, described by ``/api/openapi.json``.

Acts and queries of features are declared (``web/declared_routes.py`` makes their addresses); what is written by hand is
in ``api.py`` and ``report_api.py`` of a feature, or here.

routes        all routes by tag, the OpenAPI document, and what pages of other sites may read
responses     parts of all answers: refusals, examples, ETags, CSV
cursors       pages of long answers
parameters    what several addresses take
calculators   the calculators
regulations   editions
limits        how often one address may ask
"""
