"""Watching the system (10, 11, 12.3): where points come from, drift, calibration, islands, integrity.

``history`` says what is looked at, ``replay`` makes its lists again, and every other module asks one question of the
result. The statistics need the extra ``monitor``; history, replay and the ledger of points do not.
"""
