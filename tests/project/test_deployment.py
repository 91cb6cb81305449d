"""The files for a server: every command in them exists, and the tools that read them accept them."""

import io
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
from contextlib import closing, contextmanager
from ipaddress import ip_address, ip_network
from pathlib import Path

import httpx
import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from arpad.office.accounts.users import all_users
from arpad.office.proof.signing_keys import signing_key
from arpad.office.users import Role
from arpad.office.webhooks.acts import add_webhook
from arpad.system.deploy_files import write_deploy_files
from tests.builders.certificates import write_certificate
from tests.builders.office_fixtures import new_database
from tests.builders.offices import Clock, Desk
from tests.builders.verbs import open_office
from tests.commands import run
from tests.paths import ROOT
from tests.robustness.command_tree import commands

DEPLOY = ROOT / "deploy"
UNITS = sorted((DEPLOY / "systemd").glob("*.service"))
NAME = "ratings.example.org"
GUIDE = (ROOT / "docs" / "guides" / "deployment.md").read_text(encoding="utf-8")


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
    for line in (
        "NoNewPrivileges=yes",
        "SystemCallFilter=@system-service",
        "SystemCallFilter=~@privileged",
        "MemoryMax=3G",
        "TasksMax=512",
        "EnvironmentFile=/etc/arpad/arpad.env",
    ):
        assert f"\n{line}\n" in text, line
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


KEYS = {"ARPAD_SIGNING_KEY_FILE", "ARPAD_KEY_FILE"}


def test_both_keys_have_a_file_that_the_office_may_write() -> None:
    """Without them an office on PostgreSQL signs nothing, and has no second factors and no webhooks."""
    text = (DEPLOY / "systemd" / "arpad.env").read_text(encoding="utf-8")
    settings = dict(re.findall(r"^(\w+)=(.*)$", text, re.MULTILINE))
    assert {Path(settings[name]).parent for name in KEYS} == {Path("/var/lib/arpad/keys")}
    assert "install -d -o arpad -g arpad -m 700 /var/lib/arpad/keys\n" in GUIDE
    services = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))["services"]
    for name in ("site", "worker"):
        assert services[name]["environment"].keys() >= KEYS
        assert "keys:/var/lib/arpad/keys" in services[name]["volumes"]


def test_an_office_made_with_the_settings_of_the_guide_has_its_keys(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The commands of the guide, in its order; then a second factor and a webhook are possible."""
    for name in KEYS:
        monkeypatch.setenv(name, str(tmp_path / name))
    monkeypatch.setenv("ARPAD_DB", place)
    made, added = re.findall(r"^arpad (office (?:init|user) .*)$", GUIDE, re.MULTILINE)
    assert run(capsys, *shlex.split(made))[0] == 0
    monkeypatch.setattr("sys.stdin", io.StringIO("vierzehn Buchstaben\n"))
    assert run(capsys, *shlex.split(added))[0] == 0
    with closing(open_office(place, author="anna")) as office:
        (anna,) = all_users(office)
        assert anna.has(Role.ADMINISTRATOR)
        assert anna.has(Role.OFFICER)
        assert signing_key(office) is not None
        add_webhook(office, "http://127.0.0.1:9/hook", private_host="127.0.0.1")
    assert {path.name for path in tmp_path.iterdir()} >= KEYS
    assert {(tmp_path / name).stat().st_mode & 0o777 for name in KEYS} == {0o600}


def test_the_guide_needs_no_sudo_and_installs_what_was_tested() -> None:
    lines = "\n".join(re.findall(r"^```\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)).splitlines()
    assert [line for line in lines if "sudo" in line] == []
    assert "/usr/bin/python3 -m venv /opt/arpad" in lines
    assert all("--no-deps" in line for line in lines if "pip install" in line)
    assert any("--require-hashes --requirement /opt/arpad-files/requirements.txt" in line for line in lines)


def test_every_file_that_the_guide_installs_comes_with_the_package(tmp_path: Path) -> None:
    written = write_deploy_files(tmp_path / "files")
    assert written == sorted(str(path.relative_to(DEPLOY)) for path in DEPLOY.rglob("*") if path.is_file())
    named = re.findall(r"(?<![/\w])((?:systemd|nginx|caddy)/[\w.-]+[\w])", GUIDE)
    assert {"systemd/arpad.env", "systemd/arpad", "nginx/arpad.conf", "caddy/Caddyfile"} <= set(named)
    assert [name for name in named if not (tmp_path / "files" / name).is_file()] == []


def test_the_package_writes_its_files_before_anything_else_is_installed(tmp_path: Path) -> None:
    """Python alone, without the packages of the environment."""
    command = [sys.executable, "-S", "-m", "arpad.system.deploy_files", str(tmp_path / "files")]
    done = subprocess.run(
        command, env={"PYTHONPATH": str(ROOT / "src")}, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "files" / "requirements.txt").is_file()


def test_the_figures_are_asked_for_on_the_machine_itself_over_tls() -> None:
    """A redirect would drop the token, and the proxy refuses the public address."""
    (line,) = [line for line in GUIDE.splitlines() if line.startswith("curl") and "/metrics" in line]
    words = shlex.split(line)
    assert words[words.index("--resolve") + 1] == f"{NAME}:443:127.0.0.1"
    assert words[-1] == f"https://{NAME}/metrics"
    assert "--location" not in words


def test_the_command_of_the_server_has_the_settings_of_the_units(tmp_path: Path) -> None:
    """With other places, and a program that shows what it gets."""
    text = (DEPLOY / "systemd" / "arpad").read_text(encoding="utf-8")
    settings = (DEPLOY / "systemd" / "arpad.env").read_text(encoding="utf-8")
    (tmp_path / "arpad.env").write_text(settings, encoding="utf-8")
    assert "runuser --user arpad -- /opt/arpad/bin/arpad" in text
    text = text.replace("/etc/arpad/arpad.env", str(tmp_path / "arpad.env"))
    text = text.replace("runuser --user arpad -- /opt/arpad/bin/arpad", "sh -c 'echo $ARPAD_DB; echo $1' sh")
    (tmp_path / "arpad").write_text(text, encoding="utf-8")
    done = subprocess.run(
        ["sh", str(tmp_path / "arpad"), "two words"], capture_output=True, text=True, check=False
    )
    assert done.stdout == "postgresql://arpad@/arpad?host=/run/postgresql\ntwo words\n"


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
    assert all(re.fullmatch(EXACT_IMAGE, image) for image in images)
    installs = [rest for name, rest in instructions if name == "RUN" and "pip install" in rest]
    assert [part for rest in installs for part in rest.split("&&") if "pip install" in part and not re.search(
        r"--no-deps (--require-hashes --requirement deploy/|--no-index /wheels/)", part
    )] == []  # fmt: skip
    for _, rest in (item for item in instructions if item[0] == "COPY" and "--from" not in item[1]):
        *sources, _target = rest.split()
        assert all((ROOT / source).exists() for source in sources), rest
    last_stage = instructions[max(i for i, (name, _) in enumerate(instructions) if name == "FROM") :]
    assert [rest for name, rest in last_stage if name == "USER"] == ["arpad"]


EXACT_IMAGE = r"[a-z/]+:[0-9]+\.[0-9]+(\.[0-9]+)?-[\w.-]+(@sha256:[0-9a-f]{64})?"
"""A version, not whatever is newest; the digest can be added by whoever pulls the image."""


def test_no_service_can_write_or_has_rights_or_grows_without_limit() -> None:
    document = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
    for name, service in document["services"].items():
        assert service["read_only"] is True, name
        assert service["cap_drop"] == ["ALL"], name
        assert service.get("cap_add", []) == (["NET_BIND_SERVICE"] if name == "proxy" else []), name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert {"mem_limit", "pids_limit", "cpus"} <= service.keys(), name
        assert service["image"] == "arpad" or re.fullmatch(EXACT_IMAGE, service["image"]), name


def test_only_the_proxy_says_which_address_a_visitor_has() -> None:
    document = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
    services = document["services"]
    proxy = services["proxy"]["networks"]["inside"]["ipv4_address"]
    assert services["site"]["environment"]["FORWARDED_ALLOW_IPS"] == proxy
    (network,) = document["networks"]["inside"]["ipam"]["config"]
    assert ip_address(proxy) in ip_network(network["subnet"])
    assert services["site"]["networks"] == ["inside"]
    secrets = [secret["file"] for secret in document["secrets"].values()]
    assert all(file.startswith("../secrets/") for file in secrets)  # no image and no package contains them
    assert document["networks"]["inside"]["internal"] is True


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
            if variable.endswith("_FILE") and variable not in KEYS:
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
