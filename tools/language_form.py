"""Write ``form.toml`` of languages from the Unicode CLDR, as Babel has it: ``python -m tools.language_form pl``.

Files that a language does not have are copied from English first, with as many plural forms as the language has.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

from babel import Locale

from arpad.explain.language_form import CATEGORIES

SOURCE = Path(__file__).parents[1] / "src" / "arpad"
MESSAGES = SOURCE / "explain" / "messages"
LOCALES = {"en": "en_GB"}
"""The country whose dates a language takes, if it is not that of the language's own CLDR data."""

DAY_NUMBERS = {"fr": {"1": "1er"}, "it": {"1": "1°"}}
"""Days that a language writes in their own way; CLDR does not have them."""

ELISIONS = {
    "it": {
        "il": "l'", "del": "dell'", "dal": "dall'", "al": "all'", "nel": "nell'", "sul": "sull'",
        "Il": "L'", "Del": "Dell'", "Dal": "Dall'", "Al": "All'", "Nel": "Nell'", "Sul": "Sull'",
    }
}  # fmt: skip
"""Articles that lose a letter before a number that begins with a vowel (l'8, dell'11); CLDR does not have them."""

COLONS = {"fr": "\u00a0:"}
"""How a language writes a colon after a word, if not close to it."""

_PLURAL = re.compile(r"(\{\w+:)(\|?)([^{}|]*(?:\|[^{}|]*)+)\}")
_LETTERS = re.compile(r"'([^']*)'|([A-Za-z])\2*")
_PATTERN_FACTS = {
    "d": "{day}", "dd": "{day}", "M": "{month_number}", "MMMM": "{month}", "y": "{year}",
    "H": "{hour}", "HH": "{hour:02}", "mm": "{minute:02}",
}  # fmt: skip


def facts(language: str) -> Mapping[str, Mapping[str, str]]:
    """Return the sections that ``form.toml`` takes from the CLDR."""
    locale = Locale.parse(LOCALES.get(language, language))
    signs = locale.number_symbols[locale.default_numbering_system]
    day = pattern(locale.date_formats["long"].pattern)
    between = str(locale.interval_formats[None]).replace(
        "\u2009", " "
    )  # no thin blanks: not in every typeface
    dash = between.replace("{0}", "").replace("{1}", "").strip()
    form = {
        "language": str(Locale.parse(language).display_name).capitalize(),
        "locale": str(locale),
        "decimal-sign": signs["decimal"],
        "thousands-sign": signs["group"],
        "separator": locale.list_patterns["standard"]["middle"].replace("{0}", "").replace("{1}", ""),
        "colon": COLONS.get(language, ":"),
        "day": day,
        "days": re.sub(r"\{day\}(\.?)", rf"{{first}}\1{dash}{{day}}\1", day),
        "span": between.replace("{0}", "{first}").replace("{1}", "{last}"),
        "time": pattern(twenty_four_hours(locale)),
        "moment": str(locale.datetime_formats["medium"]).replace("{1}", "{day}").replace("{0}", "{time}"),
    }
    months = {str(number): name for number, name in locale.months["format"]["wide"].items()}
    return {
        "form": form, "plural": plural_rules(locale), "month": months, "day-number": DAY_NUMBERS.get(language, {}),
        "elision": ELISIONS.get(language, {}),
    }  # fmt: skip


def twenty_four_hours(locale: Locale) -> str:
    """Return the pattern of a time of day, from 0 to 23 hours also where people count to twelve."""
    short = locale.time_formats["short"].pattern
    return short if "H" in short else str(locale.datetime_skeletons["Hm"].pattern)


def plural_rules(locale: Locale) -> dict[str, str]:
    """Return the rule of each category in the syntax of the CLDR.

    Without a category that only whole millions have (French and Italian "many": *un million de joueurs*).
    """
    rules = locale.plural_form.rules
    return {
        name: rules[name].replace(" not in ", " != ").replace(" in ", " = ").replace(" mod ", " % ")
        for name in CATEGORIES
        if name in rules and "mod 1000000" not in rules[name]
    }


def pattern(text: str) -> str:
    """Return a pattern of the CLDR with the facts of ours: ``d MMMM y`` is ``{day} {month} {year}``."""
    return _LETTERS.sub(lambda match: match[1] if match[1] is not None else _PATTERN_FACTS[match[0]], text)


def section_lines(sections: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
    """Yield the lines of a TOML file, each section with a blank line before it."""
    for section, entries in sections.items():
        if entries:
            yield f"\n[{section}]\n"
            yield from (f'{key} = "{visible(text)}"\n' for key, text in entries.items())


def visible(text: str) -> str:
    """Return a text of a TOML file in which each blank that looks like another is written by its number."""
    return text.translate({number: f"\\u{number:04X}" for number in (0xA0, 0x202F)})


def with_forms(text: str, count: int) -> str:
    """Return a sentence with so many plural forms; the last English form is repeated."""

    def repeated(match: re.Match[str]) -> str:
        forms = match[3].split("|")
        return f"{match[1]}{match[2]}{'|'.join((forms + forms[-1:] * count)[:count])}}}"

    return _PLURAL.sub(repeated, text)


def write(language: str) -> None:
    """Write ``form.toml`` of a language, and first the files that it does not have, in English."""
    folder, sections = MESSAGES / language, facts(language)
    folder.mkdir(exist_ok=True)
    english = {folder / path.name: path for path in (MESSAGES / "en").iterdir()}
    english |= {path.with_stem(language): path for path in SOURCE.glob("*/*/words/en.toml")}
    for path, translated in english.items():
        if not path.exists():
            text = with_forms(translated.read_text(encoding="utf-8"), len(sections["plural"]) + 1)
            path.write_text(text, encoding="utf-8")
    path = folder / "form.toml"
    before = tomllib.loads(path.read_text(encoding="utf-8"))
    head = path.read_text(encoding="utf-8").partition("\n")[0]
    whole = {**sections, **{name: before[name] for name in before.keys() - sections.keys()}}
    path.write_text(f"{head}\n{''.join(section_lines(whole)).lstrip()}", encoding="utf-8")


if __name__ == "__main__":
    for name in sys.argv[1:]:
        write(name)
