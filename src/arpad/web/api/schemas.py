"""Schemas of the API's answers on players, lists, tournaments and reports; calculators use ``explain`` documents."""

from __future__ import annotations


# ---------------------------------------------------------------------------------- players, lists, tournaments


# ------------------------------------------------------------------------------------------------------ changes
