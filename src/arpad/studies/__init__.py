"""Monitoring the ratings (10, 11, 12.3): where points come from, drift, calibration, pools, integrity.

``history`` has the data, ``replay`` computes its lists again, and every other module answers one question about the
result. The statistics need the extra ``monitor``; history, replay and the ledger of points do not.
"""
