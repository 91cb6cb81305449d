"""The values used last, made once."""

from arpad.system.lru import Lru


def test_a_value_is_made_once_until_others_were_used_later() -> None:
    last: Lru[int] = Lru(2)
    keys: list[str] = []

    def get(key: str) -> int:
        return last.get(key, lambda: keys.append(key) or len(keys))  # type: ignore[func-returns-value]

    assert [get(key) for key in "abacabb"] == [1, 2, 1, 3, 1, 4, 4]
    assert keys == ["a", "b", "c", "b"]
    last.clear()
    assert get("b") == 5
