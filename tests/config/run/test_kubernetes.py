"""deploy/kubernetes: valid for the versions of Kubernetes in use, and the same processes as everywhere."""

from pathlib import Path
from typing import Any

import kubernetes_validate  # type: ignore[import-untyped] # has no types
import pytest
import yaml

from config.run.supervisor import read_procfile

ROOT = Path(__file__).resolve().parents[3]
FOLDER = ROOT / "deploy/kubernetes"
KUSTOMIZATION: dict[str, Any] = yaml.safe_load((FOLDER / "kustomization.yaml").read_text())
RESOURCES: list[dict[str, Any]] = [
    resource
    for name in KUSTOMIZATION["resources"]
    for resource in yaml.safe_load_all((FOLDER / name).read_text())
]
KINDS = read_procfile((ROOT / "Procfile").read_text())


def named(resource: dict[str, Any]) -> str:
    return f"{resource['kind']} {resource['metadata']['name']}"


def deployments() -> dict[str, dict[str, Any]]:
    return {
        resource["metadata"]["name"].removeprefix("openrummy-"): resource["spec"]
        for resource in RESOURCES
        if resource["kind"] == "Deployment"
    }


def container_of(spec: dict[str, Any]) -> dict[str, Any]:
    [container] = spec["template"]["spec"]["containers"]
    return dict(container)


def test_every_file_is_a_resource_of_the_base():
    there = {path.name for path in FOLDER.glob("*.yaml")} - {"kustomization.yaml"}
    assert set(KUSTOMIZATION["resources"]) == there


@pytest.mark.parametrize("resource", RESOURCES, ids=named)
@pytest.mark.parametrize("version", ["1.30", "1.35"])
def test_each_is_what_kubernetes_knows(resource, version):
    kubernetes_validate.validate(resource, version, strict=True)


def test_every_process_of_the_procfile_is_a_deployment_and_nothing_else_is():
    assert deployments().keys() == KINDS.keys()
    for kind, spec in deployments().items():
        container = container_of(spec)
        assert container["command"] == ["python", "-m", "config.run.process", kind]
        assert {"name": "PROCESS_NAME", "value": kind} in container["env"]
    assert deployments()["beat"]["replicas"] == 1
    assert deployments()["beat"]["strategy"] == {"type": "Recreate"}
    assert deployments()["web"]["replicas"] >= 2
    assert deployments()["history"]["replicas"] == 0


def test_the_owner_s_login_is_at_hand_to_migrations_alone():
    for resource in RESOURCES:
        has_it = "openrummy-owner" in yaml.safe_dump(resource)
        assert has_it == (named(resource) == "Job openrummy-migrate"), named(resource)


def test_no_container_can_write_anywhere_but_its_own_or_becomes_more_than_its_user():
    job = next(r for r in RESOURCES if r["kind"] == "Job")["spec"]
    for spec in (*deployments().values(), job):
        pod, container = spec["template"]["spec"], container_of(spec)
        assert pod["securityContext"]["runAsNonRoot"] is True
        assert pod["securityContext"]["runAsUser"] == 10001
        assert container["securityContext"] == {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
        }
        places = {mount["mountPath"] for mount in container["volumeMounts"]}
        assert places == {"/tmp", "/srv/private"}  # noqa: S108 - the container's own


def test_the_image_is_that_of_this_version():
    [image] = KUSTOMIZATION["images"]
    project = (ROOT / "pyproject.toml").read_text()
    assert f'version = "{image["newTag"]}"' in project
