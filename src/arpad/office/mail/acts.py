"""The mails of the office and the jobs of its worker: what waits, was done or failed, and another attempt."""

from dataclasses import dataclass
from typing import Annotated

from arpad.model.declared import Accepts
from arpad.office.declared import BACK, Reading, act, query, task
from arpad.office.mails import LONGEST_ADDRESS, check_address
from arpad.office.office import ActContext, Office
from arpad.office.users import ADMINISTRATOR
from arpad.store.accounts import MAIL
from arpad.store.jobs import Job, all_jobs, retry
from arpad.worker.kinds import error_sentence

MailNumber = Annotated[str, Accepts("0123456789abcdef", word="mail-number", personal=False)]
TestAddress = Annotated[
    str,
    Accepts(
        "anna@example.org", longest=LONGEST_ADDRESS, word="test-address", read=check_address, unwritten=True
    ),
]
Most = Annotated[int, Accepts("100", high=100_000, word="most-rows")]


@dataclass(frozen=True, slots=True)
class QueuedMail:
    """A mail of the queue."""

    number: str
    mail: str
    """Its kind."""

    to: str
    state: str
    attempts: int
    offered: int
    """How often a server was asked to take it, or was to be asked."""

    sent: str | None
    unsure: bool
    """Whether it was sent again, or is to be, since the server perhaps had it."""

    error: str | None
    changed: str

    @property
    def mail_kind(self) -> str:
        """The kind, as a table shows it in words."""
        return self.mail

    @property
    def mail_state(self) -> str:
        """The state, as a table shows it in words: also whether it perhaps came twice."""
        return f"{self.state}-unsure" if self.unsure and self.sent else self.state


@dataclass(frozen=True, slots=True)
class Mails:
    """The mails of the queue, the latest first."""

    mails: tuple[QueuedMail, ...]


@dataclass(frozen=True, slots=True)
class MailsRetried:
    """How many mails are tried again."""

    mails: int


@dataclass(frozen=True, slots=True)
class Tested:
    """A test mail that a server took."""

    host: str
    address: str


@dataclass(frozen=True, slots=True)
class QueuedJob:
    """A job of the worker."""

    kind: str
    key: str
    state: str
    due: str
    attempts: int
    error: str | None
    changed: str

    @property
    def job_kind(self) -> str:
        """The kind, as a table shows it in words."""
        return self.kind

    @property
    def job_state(self) -> str:
        """The state, as a table shows it in words."""
        return self.state


@dataclass(frozen=True, slots=True)
class Jobs:
    """The jobs of the worker, the latest first."""

    jobs: tuple[QueuedJob, ...]


@query(
    "mail list",
    ADMINISTRATOR,
    columns=("mail_state", "mail_kind", "to", "changed", "attempts", "error", "number"),
    path="/office/mails",
    says="mail.none",
)
def list_mails(reading: Reading, *, most: Most = 100) -> Mails:
    """Show the mails that wait, were sent in the last month, or were given up and why."""
    return Mails(tuple(_mail(reading, job) for job in all_jobs(reading.connection, [MAIL], most=most)))


def _mail(reading: Reading, job: Job) -> QueuedMail:
    return QueuedMail(
        job.key, job.payload["mail"], job.payload["to"], str(job.state), job.attempts,
        job.payload.get("offered", 0), job.payload.get("sent"), bool(job.payload.get("unsure")),
        error_sentence(job.error, reading.words) or None, job.changed.isoformat(timespec="seconds"),
    )  # fmt: skip


@act(
    "mail retry",
    ADMINISTRATOR,
    says="mail.retried",
    page="/admin/mail?form=unsent#unsent",
    verb="retry-mails",
)
def retry_mails(act: ActContext, number: MailNumber = "") -> MailsRetried:
    """Try mails again at once that failed: all, or one. The ledger says that somebody did.

    Example: arpad office mail retry --db office.db
    """
    count = retry(act.connection, MAIL, [number] if number else [])
    act.record(number=None, mails=count)
    act.unchanged = not count
    return MailsRetried(count)


@task("mail test", ADMINISTRATOR, says="mail.tested", page=BACK)
def test_mail(office: Office, address: TestAddress) -> Tested:
    """Send a test mail at once, with the office's settings.

    The password of the server is in ARPAD_MAIL_PASSWORD, or in the file that ARPAD_MAIL_PASSWORD_FILE names.

    Example: arpad office mail test anna@example.org --db office.db
    """
    from arpad.office.mail.worker import send_test

    return Tested(send_test(office, address).host, address)


@query(
    "jobs", ADMINISTRATOR, columns=("job_kind", "key", "job_state", "due", "error"), path="/office/jobs",
    says="worker.none",
)  # fmt: skip
def list_jobs(reading: Reading, *, most: Most = 100) -> Jobs:
    """Show the jobs of the worker: what waits, what was done, what was given up and why."""
    return Jobs(tuple(_job(reading, job) for job in all_jobs(reading.connection, most=most)))


def _job(reading: Reading, job: Job) -> QueuedJob:
    return QueuedJob(
        job.kind, job.key, str(job.state), job.due.isoformat(timespec="seconds"), job.attempts,
        error_sentence(job.error, reading.words) or None, job.changed.isoformat(timespec="seconds"),
    )  # fmt: skip
