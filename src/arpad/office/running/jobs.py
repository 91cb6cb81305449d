"""Jobs for tournaments in progress: compute and store a version, and who may do that.

As in ``report_jobs``, no job knows of a request.
"""

from __future__ import annotations

from arpad.model import names
from arpad.office.inbox.jobs import read_upload
from arpad.office.office import Office
from arpad.office.running.acts import MayReplace, Sent, send_version
from arpad.office.running.rows import RunningTournament
from arpad.office.users import Role, User
from arpad.reports.event_facts import EventFacts
from arpad.web.cost_limits import Bounds
from arpad.web.limited_process import OfficeLocation, opened_office, run_limited
from arpad.web.uploads import Upload

AT_ONCE = 8 * 1024
"""The web worker itself computes a version up to this size; while it computes a larger one, visitors would wait."""


def may_replace(user: User) -> MayReplace:
    """Return whether a user may replace or end a tournament: its sender, its arbiters, an officer of its federation."""
    own = set(names.fold(user.name))

    def permitted(tournament: RunningTournament) -> bool:
        arbiters = (set(names.fold(name)) for name in tournament.arbiters.split("\n"))
        return (
            tournament.sender == user.login
            or user.may(Role.OFFICER, tournament.federation)
            or (len(own) > 1 and any(own <= arbiter for arbiter in arbiters))
        )

    return permitted


def run_version(
    bounds: Bounds, upload: Upload, office: Office, name: str, user: User, facts: EventFacts, *, older: bool
) -> Sent:
    """Send a version of a tournament in progress, in a limited process unless the file is very small."""
    if upload.is_small and len(upload.data) <= AT_ONCE:
        return send_upload(bounds, upload, office, name, user, facts, older=older)
    location = OfficeLocation.of(office)
    return run_limited("report", bounds, send_upload, upload, location, name, user, facts, older=older)


def send_upload(
    bounds: Bounds,
    upload: Upload,
    office: Office | OfficeLocation,
    name: str,
    user: User,
    facts: EventFacts,
    *,
    older: bool,
) -> Sent:
    """Send a version of a tournament in progress, if the user may."""
    report = read_upload(bounds, upload)
    with opened_office(office) as desk:
        return send_version(
            desk, upload.data, upload.name, name, facts=facts, older=older, may_replace=may_replace(user),
            report=report,
        )  # fmt: skip
