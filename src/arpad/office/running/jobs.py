"""Jobs for tournaments in progress: compute and store a version.

As in ``report_jobs``, no job knows of a request.
"""

from arpad.office.inbox.jobs import read_upload
from arpad.office.office import Office
from arpad.office.running.acts import may_replace
from arpad.office.running.versions import Sent, send_version
from arpad.office.users import User
from arpad.reports.event_facts import EventFacts
from arpad.web.limited_process import Bounds, OfficeLocation, opened_office, run_limited
from arpad.web.uploads import Upload

AT_ONCE = 8 * 1024
"""The web worker itself computes a version up to this size; while it computes a larger one, visitors would wait."""


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
