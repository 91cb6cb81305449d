"""The files for a server: every command in them exists, and the tools that read them accept them."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from tests.builders.certificates import write_certificate
from tests.builders.office_fixtures import new_database
from tests.builders.offices import Clock, Desk
from tests.paths import ROOT
from tests.robustness.command_tree import commands

DEPLOY = ROOT / "deploy"
UNITS = sorted((DEPLOY / "systemd").glob("*.service"))
NAME = "ratings.example.org"


def commands_of_deployment() -> list[list[str]]:
    """Return the words after ``arpad`` of every command in the files."""
    found = []
    for unit in UNITS:
        (line,) = re.findall(r"^ExecStart=(.*)$", unit.read_text(encoding="utf-8"), re.MULTILINE)
        found.append(shlex.split(line)[1:])
    (container,) = re.findall(
        r"^CMD \[(.*)\]$", (DEPLOY / "Containerfile").read_text(encoding="utf-8"), re.MULTILINE
    )
    found.append([word.strip(' "') for word in container.split(",")])
    services = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))["services"]
    found += [service["command"] for service in services.values() if "command" in service]
    return found


@pytest.mark.parametrize("words", commands_of_deployment(), ids=" ".join)
def test_every_command_has_its_options(words: list[str]) -> None:
    command = commands()[words[0]]
    options = {parameter.name for parameter in command.parameters}
    assert {word for word in words if word.startswith("--")} <= options


@pytest.mark.parametrize("unit", UNITS, ids=lambda path: path.name)
def test_systemd_accepts_the_units(unit: Path, tmp_path: Path) -> None:
    """With another program in the place of Arpad's: it is looked for on this machine."""
    text = unit.read_text(encoding="utf-8")
    assert "NoNewPrivileges=yes" in text
    if analyze := shutil.which("systemd-analyze"):
        copy = tmp_path / unit.name
        copy.write_text(text.replace("/opt/arpad/bin/arpad", "/bin/true"), encoding="utf-8")
        checked = subprocess.run(
            [analyze, "verify", "--man=no", str(copy)], capture_output=True, text=True, check=False
        )
        assert (checked.returncode, checked.stderr) == (0, "")


def test_the_settings_are_those_that_arpad_reads() -> None:
    text = (DEPLOY / "systemd" / "arpad.env").read_text(encoding="utf-8")
    source = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "src").rglob("*.py"))
    for name in re.findall(r"^(\w+)=", text, re.MULTILINE):
        assert f'"{name.removesuffix("_FILE")}' in source, name


INSTRUCTIONS = frozenset(
    "FROM WORKDIR COPY RUN ENV USER VOLUME EXPOSE HEALTHCHECK ENTRYPOINT CMD LABEL ARG".split()
)


def container_instructions() -> list[tuple[str, str]]:
    """Return every instruction of the Containerfile with its argument; continued lines are one."""
    text = (DEPLOY / "Containerfile").read_text(encoding="utf-8").replace("\\\n", " ")
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return [(name, rest.strip()) for name, _, rest in (line.partition(" ") for line in lines)]


def test_the_container_is_built_from_what_is_here_and_runs_without_rights() -> None:
    """No container engine is at hand: this reads the file as one would, and says no more."""
    instructions = container_instructions()
    assert {name for name, _ in instructions} <= INSTRUCTIONS
    images = [rest.split()[0] for name, rest in instructions if name == "FROM"]
    assert all(re.fullmatch(r"[a-z/]+:[0-9][\w.-]*", image) for image in images)
    for _, rest in (item for item in instructions if item[0] == "COPY" and "--from" not in item[1]):
        *sources, _target = rest.split()
        assert all((ROOT / source).exists() for source in sources), rest
    last_stage = instructions[max(i for i, (name, _) in enumerate(instructions) if name == "FROM") :]
    assert [rest for name, rest in last_stage if name == "USER"] == ["arpad"]


def test_the_services_name_only_what_the_file_declares() -> None:
    document = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
    services = document["services"]
    for name, service in services.items():
        assert set(service.get("depends_on", ())) <= services.keys(), name
        assert set(service.get("secrets", ())) <= document["secrets"].keys(), name
        for volume in service.get("volumes", ()):
            source = volume.partition(":")[0]
            assert source in document["volumes"] or (DEPLOY / source).exists(), volume
        assert ("ports" in service) == (name == "proxy"), name  # nothing else is reached from outside
        for variable, value in service.get("environment", {}).items():
            if variable.endswith("_FILE"):
                assert value.removeprefix("/run/secrets/") in service["secrets"], variable


# --------------------------------------------------------------------------------------- a server, as the guide says


def free_port() -> int:
    with socket.socket() as trial:
        trial.bind(("127.0.0.1", 0))
        port: int = trial.getsockname()[1]
        return port


@contextmanager
def running(*command: str, env: dict[str, str] | None = None) -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen(command, env={**os.environ, **(env or {})}) as process:
        try:
            yield process
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(60)


def nginx_below_a_path(folder: Path, port: int) -> Path:
    """Write a host whose path ``/ratings`` is the site, as the guide says; return the main file."""
    part = (DEPLOY / "nginx" / "arpad-below-a-path.conf").read_text(encoding="utf-8")
    assert "unix:/run/arpad/site.sock" in part
    part = part.replace("/run/arpad/site.sock", str(folder / "site.sock"))
    return main_file(folder, f"server {{\nlisten 127.0.0.1:{port};\n{part}}}\n")


def nginx_files(folder: Path, plain: int, tls: int) -> Path:
    """Write the configuration of the guide with the ports and places of a test; return the main file."""
    site = (DEPLOY / "nginx" / "arpad.conf").read_text(encoding="utf-8")
    for was, now in (
        ("listen 80;", f"listen 127.0.0.1:{plain};"), ("    listen [::]:80;\n", ""),
        ("listen 443 ssl;", f"listen 127.0.0.1:{tls} ssl;"), ("    listen [::]:443 ssl;\n", ""),
        ("/etc/arpad/tls", str(folder)), ("/run/arpad/site.sock", str(folder / "site.sock")),
    ):  # fmt: skip
        assert was in site, was
        site = site.replace(was, now)
    return main_file(folder, site)


def main_file(folder: Path, site: str) -> Path:
    """Write the main file of nginx around a site."""
    main = folder / "nginx.conf"
    places = "".join(
        f"{kind}_temp_path {folder}/{kind};\n"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    main.write_text(
        f"daemon off;\npid {folder}/nginx.pid;\nerror_log {folder}/error.log;\nuser root;\n"
        f"events {{}}\nhttp {{\naccess_log off;\n{places}{site}}}\n",
        encoding="utf-8",
    )
    return main


def installed_nginx() -> str:
    nginx = shutil.which("nginx") or "/usr/sbin/nginx"
    if not Path(nginx).exists():
        pytest.skip("nginx is not installed")
    return nginx


@pytest.mark.deep
def test_the_site_below_a_path_behind_nginx(tmp_path: Path) -> None:
    """Pages, their files, redirects and the way to the path; nginx passes the path on."""
    nginx, port = installed_nginx(), free_port()
    Desk.made(str(tmp_path / "office.db"), tmp_path, Clock()).office.close()
    env = {"ARPAD_DB": str(tmp_path / "office.db"), "ARPAD_PREFIX": "/ratings"}
    serve = (sys.executable, "-m", "arpad", "serve", "--socket", str(tmp_path / "site.sock"), "--no-worker")
    with (
        running(*serve, env=env),
        running(nginx, "-c", str(nginx_below_a_path(tmp_path, port))),
        httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=30) as client,
    ):
        for _ in range(120):
            try:
                if client.get("/ratings/health/ready").status_code == 200:
                    break
            except httpx.TransportError:
                pass
            time.sleep(1)
        assert client.get("/ratings").headers["location"].endswith("/ratings/")
        assert client.get("/lists").status_code == 404
        home = client.get("/ratings/").text
        addresses = re.findall(r'\s(?:href|src|action)="(/[^"]*)"', home)
        assert len(addresses) > 10
        assert [address for address in addresses if not address.startswith("/ratings/")] == []
        styles = next(address for address in addresses if "site.css" in address)
        assert client.get(styles.replace("&amp;", "&")).status_code == 200
        assert client.get("/ratings/desk").status_code == 401


@pytest.mark.deep
def test_the_site_over_tls_on_postgresql_with_a_worker(postgres_server: str, tmp_path: Path) -> None:
    """Site behind nginx, worker with backups, figures for Prometheus: the files of the guide, with other places."""
    nginx = installed_nginx()
    place = new_database(postgres_server)
    Desk.made(place, tmp_path, Clock()).office.close()
    (tmp_path / "office").write_text(place, encoding="utf-8")
    (tmp_path / "token").write_text("figures", encoding="utf-8")
    write_certificate(tmp_path, NAME)
    plain, tls = free_port(), free_port()
    env = {
        "ARPAD_DB_FILE": str(tmp_path / "office"),
        "ARPAD_METRICS_TOKEN_FILE": str(tmp_path / "token"),
        "ARPAD_DB": "",
    }
    arpad = (sys.executable, "-m", "arpad")
    context = ssl.create_default_context(cafile=str(tmp_path / "fullchain.pem"))
    with (
        running(
            *arpad, "serve", "--socket", str(tmp_path / "site.sock"), "--workers", "2", "--no-worker", env=env
        ),
        running(*arpad, "work", "--backups", str(tmp_path / "backups"), env=env),
        running(nginx, "-c", str(nginx_files(tmp_path, plain, tls))),
        httpx.Client(verify=context, timeout=30) as client,
    ):
        address, named = f"https://127.0.0.1:{tls}", {"host": NAME}

        def asked(path: str, **headers: str) -> httpx.Response:
            return client.get(address + path, headers={**named, **headers}, extensions={"sni_hostname": NAME})

        for _ in range(120):
            try:
                if asked("/health/ready").status_code == 200:
                    break
            except httpx.TransportError:
                pass
            time.sleep(1)
        home = asked("/")
        assert home.status_code == 200
        assert home.headers["strict-transport-security"].startswith("max-age=")
        moved = httpx.get(f"http://127.0.0.1:{plain}/lists", headers=named)
        assert (moved.status_code, moved.headers["location"]) == (301, f"https://{NAME}/lists")
        text = asked("/metrics", authorization="Bearer figures").text
        names = {family.name for family in text_string_to_metric_families(text)}
        assert {"arpad_requests", "arpad_request_seconds", "arpad_database_up", "arpad_jobs"} <= names
