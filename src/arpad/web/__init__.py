"""The site and the API: pages rendered on the server, and JSON for other programs.

Assembly
    app                 routes, guards and limits put together; ``from_environment`` is what a server starts
    server, middleware  HTTP with a time limit for the head; headers, size and time of bodies, HEAD
    cache               ETags, cached pages, files of lists on disk
    warm_up             what a server asks itself for before its first visitor comes

Requests (imports point from the bottom to the top)
    refusals            exceptions that end a request
    requests            office, client address and page number of a request
    cookies, csrf       our cookies; protection of forms
    site_settings       the settings of the office that the site needs
    language            the language of the reader
    auth                who is signed in, and what each route lets in
    forms, templates    reading and refusing forms; rendering pages
    errors              error responses; the log is system/event_log.py
    problems            problem documents of refusals for programs

Declared acts and queries
    declared_routes, declared_forms    their addresses of the API and their forms

Costly work
    cost_limits, limited_process       limits of one request; a process with these limits

Pages that are of no feature
    home, guides, regulations, calculators, monitor, cards, admin, health, metrics
    api/                               the API; a feature has its own pages in its folder
"""
