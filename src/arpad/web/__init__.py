"""The site and the API: pages rendered on the server, and JSON for other programs.

Assembly
    app                 routes, guards and limits put together; ``from_environment`` is what a server starts
    server, middleware  HTTP with a time limit for the head; headers, size and time of bodies, HEAD
    cache               ETags, cached pages, files of lists on disk
    first_pages         what a server asks itself for before its first visitor comes

Requests (imports point from the bottom to the top)
    refusals            exceptions that end a request
    requests            office, client address and page number of a request
    cookies, csrf       our cookies; protection of forms
    site_settings       the settings of the office that the site needs
    language            the language of the reader
    auth                who is signed in, and what each route lets in
    forms, templates    reading and refusing forms; rendering pages
    errors              error responses; the log is system/event_log.py
    privacy             what the public does not see

Costly work
    cost_limits, limited_process    limits of one request; a process with these limits
    report_jobs, list_files         checking a report, making the files of a list

Pages
    home, lists, clubs, players, tournaments, regulations, calculators, guides      for everybody
    published_lists, selections, player_history                                     what they show, from the store
    check_page, fact_forms                                                          checking a report
    inbox, reports_inbox, register, decisions, draughts, publishing                 the desk of the office
    registered_events, arbiters, reconciliation                                     the desk for FIDE
    sign_in, account, admin                                                         users and settings
    api/                                                                            the same for programs
"""
