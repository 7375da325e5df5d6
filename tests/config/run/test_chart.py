"""deploy/chart as Helm renders it: valid for current versions of Kubernetes, with the same processes as elsewhere."""

import re
from functools import cache
from typing import Any

import kubernetes_validate  # type: ignore[import-untyped] # has no types
import pytest
import yaml

from config.run.supervisor import read_procfile
from tests.programs import ROOT

helm = pytest.importorskip("helm_python", reason="helm is no package for this machine")

CHART = ROOT / "deploy/chart"
KINDS = read_procfile((ROOT / "Procfile").read_text())
GATEWAY = {"enabled": True, "parents": [{"name": "public", "sectionName": "https"}]}
# Kinds of cluster extensions, for which Kubernetes has no schema.
OTHERS = {"HTTPRoute", "PodMonitor", "PrometheusRule"}


def render(**values: Any) -> list[dict[str, Any]]:
    """Render the chart with these values, by default with documents in a bucket. Return its manifests."""
    with helm.Chart.load(str(CHART)) as chart:
        given = {"documents": {"bucket": "documents"}, **values}
        files = chart.render(given, name="club", namespace="rummy")
    texts = [text for name, text in files.items() if name.endswith(".yaml")]
    return [resource for text in texts for resource in yaml.safe_load_all(text) if resource]


@cache
def resources() -> list[dict[str, Any]]:
    """Return the manifests with every optional part switched on."""
    return render(
        gateway=GATEWAY,
        watch={"enabled": True, "labels": {"release": "prometheus"}},
        ingress={
            "annotations": {"cert-manager.io/cluster-issuer": "letsencrypt"},
            "className": "traefik",
        },
    )


def name_of(resource: dict[str, Any]) -> str:
    return f"{resource['kind']} {resource['metadata']['name']}"


def find_resource(kind: str, name: str = "club") -> dict[str, Any]:
    [found] = [one for one in resources() if name_of(one) == f"{kind} {name}"]
    return found


def deployments() -> dict[str, dict[str, Any]]:
    """Return the specs of the deployments that run the site's image, by their process."""
    return {
        resource["metadata"]["labels"]["app.kubernetes.io/component"]: resource["spec"]
        for resource in resources()
        if resource["kind"] == "Deployment"
        and not resource["metadata"]["name"].endswith("-exporter")
    }


def container_of(spec: dict[str, Any]) -> dict[str, Any]:
    [container] = spec["template"]["spec"]["containers"]
    return dict(container)


def pods() -> list[dict[str, Any]]:
    running = [one for one in resources() if one["kind"] in {"Deployment", "Job"}]
    return [one["spec"]["template"]["spec"] for one in running]


def test_the_chart_passes_helm_lint():
    report = helm.lint(str(CHART))
    assert report["errors"] == []
    assert [one["error"] for one in report["messages"]] == ["icon is recommended"]


@pytest.mark.parametrize("version", ["1.30", "1.35"])
def test_every_manifest_is_valid_for_kubernetes(version):
    known = [resource for resource in resources() if resource["kind"] not in OTHERS]
    assert len(known) > 15
    for resource in known:
        kubernetes_validate.validate(resource, version, strict=True)


def test_deployments_are_the_processes_of_the_procfile():
    assert deployments().keys() == KINDS.keys()
    for kind, spec in deployments().items():
        container = container_of(spec)
        assert container["command"] == ["python", "-m", "config.run.process", kind]
        assert {"name": "PROCESS_NAME", "value": kind} in container["env"]
    assert deployments()["beat"]["replicas"] == 1
    assert deployments()["beat"]["strategy"] == {"type": "Recreate"}
    assert deployments()["web"]["replicas"] >= 2
    assert deployments()["history"]["replicas"] == 0


def test_migrations_run_first_and_every_process_waits_for_them():
    job = find_resource("Job", "club-migrate")
    assert job["metadata"]["annotations"]["helm.sh/hook"] == "pre-install,pre-upgrade"
    assert container_of(job["spec"])["command"] == ["python", "manage.py", "migrate"]
    for kind, spec in deployments().items():
        [wait] = spec["template"]["spec"]["initContainers"]
        assert wait["command"] == ["python", "-m", "config.run.process", "wait"]
        assert wait["env"] == container_of(spec)["env"], kind
    # The migration hook runs before all else, so the chart may not create anything that it needs.
    assert not {"ConfigMap", "Secret"} & {one["kind"] for one in resources()}


def test_only_the_migration_job_has_the_owners_login():
    for resource in resources():
        has_it = "openrummy-owner" in yaml.safe_dump(resource)
        assert has_it == (name_of(resource) == "Job club-migrate"), name_of(resource)


def test_containers_are_read_only_and_unprivileged():
    for pod in pods():
        assert pod["securityContext"]["runAsNonRoot"] is True
        assert pod["securityContext"]["runAsUser"] == 10001
        assert pod["automountServiceAccountToken"] is False
        for container in (*pod.get("initContainers", []), *pod["containers"]):
            assert container["securityContext"] == {
                "allowPrivilegeEscalation": False,
                "readOnlyRootFilesystem": True,
                "capabilities": {"drop": ["ALL"]},
            }
            assert {mount["mountPath"] for mount in container.get("volumeMounts", [])} <= {"/tmp"}  # noqa: S108
            assert container["resources"]["limits"]["memory"]


def test_documents_are_in_a_bucket_or_on_a_named_claim():
    web = container_of(deployments()["web"])
    assert {"name": "DOCUMENTS_BUCKET", "value": "documents"} in web["env"]
    assert not [one for one in resources() if one["kind"] == "PersistentVolumeClaim"]
    claimed = yaml.safe_dump_all(render(documents={"claim": "old-private"}))
    assert claimed.count("claimName: old-private") == len(KINDS) + 1
    assert "DOCUMENTS_BUCKET" not in claimed
    with pytest.raises(helm.HelmError, match="Set documents"):
        render(documents={})


def test_the_ingress_works_with_any_controller():
    ingress = find_resource("Ingress")
    assert ingress["spec"]["ingressClassName"] == "traefik"
    assert ingress["metadata"]["annotations"] == {"cert-manager.io/cluster-issuer": "letsencrypt"}
    everything = "".join(path.read_text() for path in CHART.rglob("*.yaml"))
    assert "nginx.ingress.kubernetes.io" not in everything
    bare = next(one for one in render() if one["kind"] == "Ingress")
    assert "ingressClassName" not in bare["spec"]
    assert "annotations" not in bare["metadata"]


def test_sockets_of_tables_may_have_their_own_ingress():
    hashed, issuer = {"example.com/hash-by": "$uri"}, {"cert-manager.io/cluster-issuer": "own"}
    made = render(ingress={"annotations": issuer, "tableAnnotations": hashed})
    pages, tables = (one for one in made if one["kind"] == "Ingress")
    assert (pages["metadata"]["annotations"], pages["metadata"]["name"]) == (issuer, "club")
    assert tables["metadata"]["annotations"] == issuer | hashed
    assert tables["metadata"]["name"] == "club-tables"
    for ingress, path in ((pages, "/"), (tables, "/ws/tables/")):
        [rule] = ingress["spec"]["rules"]
        assert [one["path"] for one in rule["http"]["paths"]] == [path]


def test_a_gateway_hides_the_monitoring_pages():
    hidden, sockets, pages = find_resource("HTTPRoute")["spec"]["rules"]
    paths = {match["path"]["value"] for match in hidden["matches"]}
    assert paths == {"/metrics", "/readyz", "/ledgerz"}
    assert "backendRefs" not in hidden
    assert sockets["timeouts"] == {"request": "0s"}
    assert sockets["backendRefs"] == pages["backendRefs"] == [{"name": "club", "port": 80}]
    with pytest.raises(helm.HelmError, match="Name the gateway"):
        render(gateway={"enabled": True})


def test_network_policies_admit_only_the_web_port():
    everybody, web = find_resource("NetworkPolicy"), find_resource("NetworkPolicy", "club-web")
    assert "ingress" not in everybody["spec"]
    [way] = web["spec"]["ingress"]
    assert way == {"ports": [{"port": "http"}]}
    labels = deployments()["web"]["template"]["metadata"]["labels"]
    assert web["spec"]["podSelector"]["matchLabels"].items() <= labels.items()
    assert everybody["spec"]["podSelector"]["matchLabels"].items() <= labels.items()


def test_the_chart_has_the_alerts_of_every_deployment():
    rules = yaml.safe_load((ROOT / "deploy/alerts.yml").read_text())
    assert find_resource("PrometheusRule")["spec"] == rules
    compose = yaml.safe_load((ROOT / "compose.yaml").read_text())["services"]
    images = yaml.safe_load((CHART / "values.yaml").read_text())["watch"]["images"]
    assert images == {name: compose[f"{name}-exporter"]["image"] for name in images}


@pytest.mark.parametrize(
    "values", [{"hosts": "x"}, {"processes": {"beat": {"replicas": 2}}}, {"settings": {"EMAIL_PORT": 587}}]
)  # fmt: skip
def test_an_invalid_value_of_the_chart_is_refused(values):
    with helm.Chart.load(str(CHART)) as chart, pytest.raises(helm.HelmError):
        chart.validate_schema(values)


def test_names_that_yaml_would_read_as_something_else_stay_names():
    """Names such as a release `true` or a Secret `123` are quoted."""
    with helm.Chart.load(str(CHART)) as chart:
        given = {
            "documents": {"claim": "7"},
            "secrets": {"name": "123", "owner": "1e3"},
            "gateway": GATEWAY,
            "ingress": {"enabled": True, "className": "on", "tlsSecret": "2026"},
            "watch": {"enabled": True},
        }
        files = chart.render(given, name="true", namespace="rummy")
    texts = [text for name, text in files.items() if name.endswith(".yaml")]
    made = [one for text in texts for one in yaml.safe_load_all(text) if one]
    assert {one["metadata"]["labels"]["app.kubernetes.io/instance"] for one in made} == {"true"}
    for one in made:
        if one["kind"] not in OTHERS:
            kubernetes_validate.validate(one, "1.31", strict=True)


def test_the_chart_has_the_version_of_the_code():
    chart = yaml.safe_load((CHART / "Chart.yaml").read_text())
    assert chart["version"] == chart["appVersion"]
    assert f'version = "{chart["version"]}"' in (ROOT / "pyproject.toml").read_text()
    image = container_of(deployments()["web"])["image"]
    assert image == f"ghcr.io/OWNER/openrummy:{chart['version']}"


def test_every_value_of_the_chart_is_commented():
    """Each block of values.yaml has a comment."""
    text = (CHART / "values.yaml").read_text()
    for block in re.split(r"\n\n", text.strip()):
        assert "#" in block, block
