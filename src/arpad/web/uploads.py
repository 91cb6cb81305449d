"""An uploaded file, and the name under which it is kept."""

from __future__ import annotations

from base64 import b64decode, b64encode
from binascii import Error as BadBase64
from dataclasses import dataclass

from litestar.datastructures import FormMultiDict, UploadFile

from arpad.reports.formats.encoding import western
from arpad.web.limited_process import SMALL
from arpad.web.requests import Refused

LONGEST_NAME = 120


async def uploaded_report(form: FormMultiDict) -> Upload | None:
    """Return the file of a form: just chosen, edited as text, or repeated in a hidden field."""
    file = form.get("file")
    if isinstance(file, UploadFile):
        data = await file.read()
        if data or file.filename:  # an empty file was chosen, too
            return Upload(clean_name(file.filename), data)
    text, packed = form.get("text"), form.get("packed")
    name = clean_name(str(form.get("name") or ""))
    original = None
    if isinstance(packed, str) and packed:
        try:
            original = Upload(name, b64decode(packed, validate=True))
        except (BadBase64, ValueError):
            raise Refused(400, "http-400") from None
    if isinstance(text, str) and text.strip():
        return edited_report(name, text, original)
    return original


def edited_report(name: str, text: str, original: Upload | None) -> Upload:
    """Return the text of the editor as a file: the original bytes if nothing was changed, else with its line ends."""
    edited = text.replace("\r\n", "\n")
    if original is not None and original.text is not None:
        if original.text.replace("\r\n", "\n").replace("\r", "\n") == edited:
            return original
        if "\r\n" in original.text:
            edited = edited.replace("\n", "\r\n")
    return Upload(name, edited.encode())


def clean_name(name: str) -> str:
    """Return the name of a file without folders and without characters that cannot be printed."""
    last = name.replace("\\", "/").rpartition("/")[2]
    return "".join(letter for letter in last if letter.isprintable())[:LONGEST_NAME] or "report.trf"


@dataclass(frozen=True, slots=True)
class Upload:
    """A file as it was uploaded, or as it was edited on the page."""

    name: str
    data: bytes

    @property
    def text(self) -> str | None:
        """The file as text that can be edited; None for a workbook."""
        if b"\0" in self.data[:4096]:
            return None
        try:
            return self.data.decode("utf-8-sig")
        except UnicodeDecodeError:
            return western(self.data)[0]

    @property
    def packed(self) -> str:
        """The bytes in base 64, for a hidden field of a form."""
        return b64encode(self.data).decode()

    @property
    def is_small(self) -> bool:
        """Whether checking it costs little: it is a short text and no archive."""
        return len(self.data) <= SMALL and not self.data.startswith(b"PK")
