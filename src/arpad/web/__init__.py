"""The site and the API: pages rendered on the server, and JSON for other programs.

app         everything put together; ``from_environment`` is what a server starts
front       what holds for every answer: headers, limits on what is sent in, HEAD
language    which language the reader gets, and how it writes numbers
pages       templates and static files
access      who is asking, what each route lets in, forgery of forms
errors      what goes wrong, as a page or as JSON
calculators, regulations, uploads      pages that need no database
visiting, caching                      what every page of an office asks first; what is told once
public, players, lists, tournaments    what everybody sees of an office
desk, month, admin, signing            the work of an office
api/        the same for programs, with its OpenAPI document
queries     what pages ask of the store
"""
