"""The system of the Irish Chess Union: a chain of events, performances in passes, two phases with a bonus."""

from arpad.regulations.icu.system import SYSTEM as SYSTEM
