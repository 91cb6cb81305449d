"""The folders that tests read: the repository, its source, its messages, and the shared files beside it."""

from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "arpad"
MESSAGES = SOURCE / "explain" / "messages"
FEATURES = SOURCE / "office"
SYSTEMS = SOURCE / "regulations"
EXAMPLES = SOURCE / "examples"
CASES = ROOT / "tests" / "cases"
BENCHMARKS = ROOT / "benchmarks"
SHARED = ROOT.parent / "shared"
"""Real files; they may be absent."""


def word_files(language: str) -> dict[str, Path]:
    """Return the files with the words of a language, of the library, of features and of systems.

    The name of each is its path with a star instead of the language.
    """
    library = {
        f"explain/messages/*/{path.name}": path for path in sorted(MESSAGES.glob(f"{language}/*.toml"))
    }
    others = {
        f"{folder.name}/{path.parts[-3]}/words/*.toml": path
        for folder in (FEATURES, SYSTEMS)
        for path in sorted(folder.glob(f"*/words/{language}.toml"))
    }
    return library | others


def template_files() -> dict[str, Path]:
    """Return the templates of pages by their names, of the site and of features."""
    features = sorted(FEATURES.glob("*/templates/*.html"))
    site = {path.name: path for path in sorted((SOURCE / "web" / "templates").glob("*.html"))}
    return site | {f"{path.parts[-3]}/{path.name}": path for path in features}
