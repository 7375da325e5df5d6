"""The rules of deploy/alerts.yml in Prometheus' promtool: each fires when it should, and not before."""

import re
import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.given import require
from tests.programs import ROOT, run_program

ALERTS = ROOT / "deploy/alerts.yml"
RULES: dict[str, dict[str, Any]] = {
    rule["alert"]: rule
    for group in yaml.safe_load(ALERTS.read_text())["groups"]
    for rule in group["rules"]
}
PROMTOOL = shutil.which("promtool")

# For each alert: a series for which it fires within 150 minutes, and one for which it does not. A series is
# `name start+step`, as in promtool, with a value for each minute.
FIRES: dict[str, tuple[str, str]] = {
    "LedgerDoesNotBalance": ("openrummy_ledger_imbalance 1", "openrummy_ledger_imbalance 0"),
    "LedgerNotChecked": ("openrummy_ledger_check_age_seconds 7201", "openrummy_ledger_check_age_seconds 600"),
    "LedgerNeverChecked": ("openrummy_ledger_check_age_seconds -1", "openrummy_ledger_check_age_seconds 600"),
    "WithdrawalsWait": ("openrummy_withdrawals_waiting 51", "openrummy_withdrawals_waiting 50"),
    "NobodyAnswers": ("up 0", "openrummy_latest_deadline_seconds 0"),
    "SiteIsDown": ("probe_success 0", "probe_success 1"),
    "DeadlinesPass": ("openrummy_latest_deadline_seconds 3", "openrummy_latest_deadline_seconds 2"),
    "ClocksAreSilent": ("openrummy_clock_silence_seconds 11", "openrummy_clock_silence_seconds 1"),
    "NoClock": ("openrummy_clock_silence_seconds -1", "openrummy_clock_silence_seconds 1"),
    "TablesOutOfOrder": ("openrummy_tables_out_of_order 1", "openrummy_tables_out_of_order 0"),
    "PagesFail": ('openrummy_requests_total{status="503"} 0+9', 'openrummy_requests_total{status="200"} 0+9'),
    "ScriptsFail": (
        'openrummy_requests_total{view="script_error", status="204"} 0+2',
        'openrummy_requests_total{view="lobby", status="204"} 0+2',
    ),
    "BeatIsSilent": ("openrummy_beat_silence_seconds 121", "openrummy_beat_silence_seconds 30"),
    "NoBeat": ("openrummy_beat_silence_seconds -1", "openrummy_beat_silence_seconds 30"),
    "JobsPileUp": ("openrummy_jobs_waiting 200+9", "openrummy_jobs_waiting 300"),
    "JobsFail": ('celery_task_failed_total{name="x"} 0+1', 'celery_task_failed_total{name="x"} 9'),
    "NoWorker": ("celery_worker_up 0", "celery_worker_up 1"),
    "NoBroker": ("openrummy_jobs_waiting -1", "openrummy_jobs_waiting 0"),
    "NoRedis": ("openrummy_redis_silent 1", "openrummy_redis_silent 0"),
    "NatsServersAreSilent": ("openrummy_nats_silent 1", "openrummy_nats_silent 0"),
    "PostgresIsDown": ("pg_up 0", "pg_up 1"),
    "ReplicaIsBehind": ("openrummy_replica_lag_seconds 11", "openrummy_replica_lag_seconds 1"),
    "ReplicaIsGone": ("openrummy_replica_lag_seconds -1", "openrummy_replica_lag_seconds 0"),
    "CertificateExpires": ("probe_ssl_earliest_cert_expiry 1000000", "probe_ssl_earliest_cert_expiry 9000000"),
    "WalArchiveFails": ("openrummy_wal_archive_failing_seconds 301", "openrummy_wal_archive_failing_seconds 60"),
    "WalArchiveIsLate": ("openrummy_wal_archive_age_seconds 901", "openrummy_wal_archive_age_seconds 90"),
    "BackupIsLate": ("openrummy_backup_age_seconds 93601", "openrummy_backup_age_seconds 86400"),
    "BackupNotChecked": ("openrummy_backup_check_age_seconds 777601", "openrummy_backup_check_age_seconds -1"),
    "NoBackup": ("openrummy_backup_age_seconds -1", "openrummy_backup_age_seconds 1"),
}  # fmt: skip


def seconds_of(what: str, bound: str) -> list[str]:
    """Return the series of a histogram in which all times are below the bound."""
    return [f'openrummy_{what}_seconds_bucket{{le="{le}"}} 0+9' for le in (bound, "+Inf")]


# Alerts that compare two series: all series of a case.
FIRES_TOGETHER: dict[str, tuple[list[str], list[str]]] = {
    "MovesAreSlow": (seconds_of("move", "0.25"), seconds_of("move", "0.1")),
    "PagesAreSlow": (seconds_of("request", "5"), seconds_of("request", "1")),
    "RedisIsFull": (
        ["redis_memory_used_bytes 95", "redis_memory_max_bytes 100"],
        ["redis_memory_used_bytes 95", "redis_memory_max_bytes 0"],  # no limit
    ),
    "ConnectionsRunOut": (
        ["pg_stat_activity_count 90", "pg_settings_max_connections 100"],
        ["pg_stat_activity_count 80", "pg_settings_max_connections 100"],
    ),
    "DiskFills": (
        ["node_filesystem_avail_bytes 9", "node_filesystem_size_bytes 100"],
        ["node_filesystem_avail_bytes 20", "node_filesystem_size_bytes 100"],
    ),
}
# Figures of external exporters, and the exporter: a service with the profile `watch` (compose.yaml).
OTHERS = {
    "pg_up": "postgres-exporter",
    "pg_stat_activity_count": "postgres-exporter",
    "pg_settings_max_connections": "postgres-exporter",
    "redis_memory_used_bytes": "redis-exporter",
    "redis_memory_max_bytes": "redis-exporter",
    "celery_task_failed_total": "celery-exporter",
    "celery_worker_up": "celery-exporter",
    "probe_success": "blackbox-exporter",
    "probe_ssl_earliest_cert_expiry": "blackbox-exporter",
    "node_filesystem_avail_bytes": "node-exporter",
    "node_filesystem_size_bytes": "node-exporter",
}
LONG = 150  # minutes; the longest `for` is two hours


def cases() -> dict[str, tuple[list[str], list[str]]]:
    single = {alert: ([fires], [rests]) for alert, (fires, rests) in FIRES.items()}
    return {**single, **FIRES_TOGETHER}


def series_of(text: str) -> dict[str, str]:
    name, _, value = text.rpartition(" ")
    start, plus, step = value.partition("+")
    return {"series": name, "values": f"{start}{plus}{step}x{LONG}" if plus else f"{start}x{LONG}"}


def merge_cases() -> list[tuple[list[dict[str, str]], dict[str, bool]]]:
    """Merge the cases into a few tests, since promtool evaluates every rule in each. No figure occurs in two
    cases of one test.
    """
    tests: list[tuple[list[dict[str, str]], dict[str, bool]]] = []
    for alert, both in cases().items():
        for texts, fires in zip(both, (True, False), strict=True):
            series = [series_of(text) for text in texts]
            # A rule with `absent` depends on a figure that is missing from the series.
            names = {name_of(one) for one in series} | figures_of(alert)
            for others, expected in tests:
                taken = {name_of(one) for one in others}
                taken |= {name for other in expected for name in figures_of(other)}
                if not names & taken:
                    others.extend(series)
                    expected[alert] = fires
                    break
            else:
                tests.append((series, {alert: fires}))
    return tests


def name_of(series: dict[str, str]) -> str:
    return series["series"].partition("{")[0]


def figures_of(alert: str) -> set[str]:
    return set(re.findall(r"\b[a-z]+_[a-z_]+\b(?![=({])", RULES[alert]["expr"]))


def test_every_alert_rule_has_a_case():
    assert cases().keys() == RULES.keys()


@pytest.mark.skipif(PROMTOOL is None, reason="no promtool on this machine")
def test_every_alert_fires_only_when_it_should(tmp_path):
    tests = []
    for series, expected in merge_cases():
        asked = [
            {
                "expr": f'count(ALERTS{{alertname="{alert}", alertstate="firing"}}) or vector(0)',
                "eval_time": f"{LONG}m",
                "exp_samples": [{"labels": "{}", "value": int(fires)}],
            }
            for alert, fires in expected.items()
        ]
        tests.append({"interval": "1m", "input_series": series, "promql_expr_test": asked})
    file = tmp_path / "alerts.test.yml"
    file.write_text(
        yaml.safe_dump({"rule_files": [str(ALERTS)], "evaluation_interval": "5m", "tests": tests})
    )
    for command in (["check", "rules", str(ALERTS)], ["test", "rules", str(file)]):
        run_program(str(PROMTOOL), *command, check=True)


def test_foreign_metrics_come_from_a_known_exporter():
    services = yaml.safe_load((ROOT / "compose.yaml").read_text())["services"]
    asked = {
        name
        for rule in RULES.values()
        for name in re.findall(r"\b(?:pg|redis|celery|probe|node)_\w+", rule["expr"])
    }
    assert asked == OTHERS.keys()
    for exporter in OTHERS.values():
        assert services[exporter]["profiles"] == ["watch"]


@pytest.mark.skipif(PROMTOOL is None, reason="no promtool on this machine")
def test_the_configuration_of_prometheus_is_valid(tmp_path):
    """deploy/watch/prometheus.yml is checked with the rules in the same folder, as compose.yaml mounts them."""
    (tmp_path / "token").write_text("a token")
    (tmp_path / "public-address.json").write_text('[{"targets": ["https://localhost/healthz"]}]')
    shutil.copy(ALERTS, tmp_path)
    text = (ROOT / "deploy/watch/prometheus.yml").read_text()
    assert text.count("/run/secrets/metrics_token") == 1
    text = text.replace("/run/secrets/metrics_token", str(tmp_path / "token"))
    (tmp_path / "prometheus.yml").write_text(text)
    run_program(str(PROMTOOL), "check", "config", tmp_path / "prometheus.yml", check=True)


def test_prometheus_scrapes_only_services_of_compose():
    services = yaml.safe_load((ROOT / "compose.yaml").read_text())["services"]
    asked = re.findall(
        r"[\": \[]([a-z-]+):9\d{3}", (ROOT / "deploy/watch/prometheus.yml").read_text()
    )
    assert set(asked) == {*OTHERS.values(), "alertmanager"}
    assert {services[name]["profiles"][0] for name in (*asked, "prometheus")} == {"watch"}


def test_any_password_of_the_mail_server_reaches_alertmanager():
    """Docker Compose substitutes values without escaping them for YAML."""
    compose = yaml.safe_load((ROOT / "compose.yaml").read_text())
    content = compose["configs"]["alertmanager"]["content"]
    given = {
        "EMAIL_HOST_PASSWORD": 'it\'s "a\\b": #{}',
        "DEFAULT_FROM_EMAIL": "Asha's Rummy <rummy@play.example>",
        "EMAIL_HOST_USER": "",
    }
    for name, value in given.items():
        before, _, rest = content.partition(f"${{{name}:-")
        content = before + value + rest.partition("}")[2]
    said = yaml.safe_load(content)["global"]
    assert said["smtp_auth_password"] == given["EMAIL_HOST_PASSWORD"]
    assert said["smtp_from"] == given["DEFAULT_FROM_EMAIL"]
    assert said["smtp_auth_username"] == ""


def test_alertmanager_mails_alerts_to_the_operator():
    compose = yaml.safe_load((ROOT / "compose.yaml").read_text())
    said = yaml.safe_load(compose["configs"]["alertmanager"]["content"])
    [receiver] = said["receivers"]
    assert receiver["name"] == said["route"]["receiver"]
    [mail] = receiver["email_configs"]
    assert mail["to"].startswith("${ALERT_EMAILS:-")
    prometheus = yaml.safe_load((ROOT / "deploy/watch/prometheus.yml").read_text())
    [asked] = prometheus["alerting"]["alertmanagers"]
    assert asked["static_configs"] == [{"targets": ["alertmanager:9093"]}]


def anchors(document: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", document.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("alert", RULES)
def test_every_alert_explains_itself_and_links_a_document(alert):
    told = RULES[alert]["annotations"]
    assert told["summary"].endswith(".")
    place = require(re.search(r"(docs/[\w/]+\.md)(?:#([\w-]+))?$", told["action"]))
    document = ROOT / place[1]
    assert document.exists()
    assert place[2] is None or place[2] in anchors(document)
    assert RULES[alert]["labels"]["severity"] in {"page", "ticket"}
