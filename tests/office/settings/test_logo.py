"""The logo of the federation: which images are taken, and that only images are."""

from contextlib import closing

import pytest

from arpad.model.declared import Upload
from arpad.model.errors import BadInput
from arpad.office.office import init
from arpad.office.settings.acts import remove_logo, set_logo
from arpad.office.settings.logo import LARGEST, image_type, read_logo
from tests.builders.offices import Clock
from tests.builders.verbs import all_settings, change_settings, ledger, verify

PNG = b"\x89PNG\r\n\x1a\n" + bytes(60)


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (PNG, "image/png"),
        (b"\xff\xd8\xff\xe0 and so on", "image/jpeg"),
        (b"RIFF\x10\0\0\0WEBPVP8 ", "image/webp"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>", ""),
        (b"GIF89a", ""),
        (b"RIFF\x10\0\0\0WAVEfmt ", ""),
        (b"", ""),
    ],
)
def test_an_image_is_known_by_its_first_bytes(data: bytes, kind: str) -> None:
    assert image_type(data) == kind


def test_a_logo_is_set_kept_in_the_ledger_and_removed(sqlite_place: str) -> None:
    with closing(init(sqlite_place, name="Prima", now=Clock(), author="A")) as office:
        set_logo(office, Upload("logo.png", PNG))
        set_logo(office, Upload("logo.png", PNG))
        with office.store.reading() as connection:
            logo = read_logo(connection)
        assert logo is not None
        assert (logo.type, logo.data) == ("image/png", PNG)
        for wrong, code in ((b"<svg/>", "logo-type"), (PNG + bytes(LARGEST), "logo-size")):
            with pytest.raises(BadInput, match=code):
                set_logo(office, Upload("logo", wrong))
        remove_logo(office)
        with office.store.reading() as connection:
            assert read_logo(connection) is None
        assert [act.verb for act in ledger(office)][1:] == ["set-logo", "remove-logo"]
        assert verify(office).intact


def test_contact_website_and_privacy_are_settings(sqlite_place: str) -> None:
    with closing(init(sqlite_place, name="Prima", now=Clock(), author="A")) as office:
        text = " We keep  names.\n\nWrite to us. "
        change_settings(office, set_={"contact": " a@b.it ", "website": "https://b.it/", "privacy": text})
        settings = all_settings(office)
        assert (settings["contact"], settings["website"]) == ("a@b.it", "https://b.it/")
        assert settings["privacy"] == "We keep names.\n\nWrite to us."
        for name, wrong, code in (
            ("website", "javascript:alert(1)", "setting-website"),
            ("website", "https://", "setting-website"),
            ("contact", "x" * 201, "setting-name"),
            ("privacy", "a\x07b", "text-not-printable"),
        ):
            with pytest.raises(BadInput, match=code):
                change_settings(office, set_={name: wrong})
