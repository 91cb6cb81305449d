"""A path in the log has no secret of a link from a mail."""

import pytest

from arpad.web.errors import shown_path


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("/admin", "/admin"),
        ("/password/3xQ9", "/password/…"),
        ("/follow/3xQ9/end", "/follow/…"),
        ("/" + "x" * 300, "/" + "x" * 199),
    ],
)
def test_the_secret_of_a_link_is_left_out(path: str, shown: str) -> None:
    assert shown_path(path) == shown
