"""The page of the office's mail: its server, a test, and what could not be sent."""

from litestar import Response, get

from arpad.office.declared import perform
from arpad.office.mail.acts import list_mails
from arpad.office.mails import SETTINGS
from arpad.office.settings.pages import setting_fields
from arpad.store.jobs import JobState
from arpad.web.reader import ADMINISTRATOR, caller_of
from arpad.web.requests import WebRequest, require_office
from arpad.web.templates import page


@get("/admin/mail", opt=ADMINISTRATOR, include_in_schema=False, sync_to_thread=True)
def mail_page(request: WebRequest) -> Response[str]:
    """Show the settings of the mail server, and the mails that wait or were given up."""
    mails = perform(list_mails, require_office(request), caller_of(request), {}).mails
    unsent = [it for it in mails if it.state != JobState.DONE]
    return page(request, "mail/mail.html", fields=setting_fields(request, *SETTINGS), unsent=unsent)
