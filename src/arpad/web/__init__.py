"""The site and the API: pages rendered on the server, and JSON for other programs.

app         everything put together; ``from_environment`` is what a server starts
server      how HTTP is spoken: the head of a request has a time limit of its own
front       what holds for every answer: headers, limits on what is sent in, HEAD
bounds      what one request may cost; apart, work in a process of its own with these limits
looking     a report looked at within bounds; list_making, the files of a list
keeping     pages of published data, kept until the office acts again
language    which language the reader gets; settled, what the office has settled about its site
pages       templates and static files; forms, what was filled in and what becomes of it
access      who is asking, what each route lets in, forgery of forms; cookies, ours among all that come
errors      what goes wrong, as a page or as JSON; security_log, what concerns security
figures, calculators, regulations, uploads, guides    pages that need no database
privacy     what the public is not told
visiting, caching, cache           what every page of an office asks first; what is told or made once
public, players, lists, tournaments    what everybody sees of an office; chart, a player's curve
desk, register, events, month, decisions    the work of an office
admin, signing, account, watching      who works there and in which role; whether the lists can be trusted
queries, inbox                         what pages, and the desk, ask of the store
api/        the same for programs, with its OpenAPI document
"""
