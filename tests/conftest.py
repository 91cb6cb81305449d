"""How all tests run: random examples are the same on every machine, and no example is judged by the clock."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

# Machines are slow and busy: time is measured in benchmarks/, never here. Deep runs look for new examples each time.
settings.register_profile(
    "arpad",
    deadline=None,
    derandomize=not os.environ.get("ARPAD_DEEP"),
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("arpad")
