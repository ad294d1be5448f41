"""The manifests agree with the program: commands, settings, routes and times are those that exist."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from infra.settings import PREFIX, Settings
from services.api.routes.health import read_liveness, read_readiness
from services.cli.main import COMMANDS

BASE = Path(__file__).parents[2] / "k8s" / "base"


def objects() -> dict[str, dict[str, Any]]:
    """By kind; the kustomization names every file."""
    listed = yaml.safe_load((BASE / "kustomization.yaml").read_text())["resources"]
    assert sorted([*listed, "kustomization.yaml"]) == sorted(file.name for file in BASE.iterdir())
    found = [yaml.safe_load((BASE / name).read_text()) for name in listed]
    return {manifest["kind"]: manifest for manifest in found}


def container(kind: str) -> dict[str, Any]:
    (only,) = objects()[kind]["spec"]["template"]["spec"]["containers"]
    found: dict[str, Any] = only
    return found


@pytest.mark.parametrize("kind", ["Deployment", "Job"])
def test_they_run_commands_and_settings_that_exist(kind: str) -> None:
    assert container(kind)["args"][0] in COMMANDS
    known = {PREFIX + name.upper() for name in Settings.model_fields}
    assert {setting["name"] for setting in container(kind)["env"]} <= known
    # Else Kubernetes adds some of its own that look like settings.
    assert objects()[kind]["spec"]["template"]["spec"]["enableServiceLinks"] is False


@pytest.mark.parametrize("kind", ["Deployment", "Job"])
def test_they_run_with_no_more_rights_than_they_need(kind: str) -> None:
    pod = objects()[kind]["spec"]["template"]["spec"]
    assert pod["automountServiceAccountToken"] is False
    assert pod["securityContext"] == {"runAsNonRoot": True, "seccompProfile": {"type": "RuntimeDefault"}}
    assert container(kind)["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }


def test_the_probes_ask_what_they_should() -> None:
    probes = {name: probe["httpGet"]["path"] for name, probe in container("Deployment").items() if "Probe" in name}
    (alive,) = read_liveness.paths
    (ready,) = read_readiness.paths
    assert probes == {"startupProbe": alive, "livenessProbe": alive, "readinessProbe": ready}


def test_the_service_finds_the_pods_at_the_port_that_the_program_listens_on() -> None:
    service, deployment = objects()["Service"], objects()["Deployment"]
    labels = deployment["spec"]["template"]["metadata"]["labels"]
    assert service["spec"]["selector"].items() <= labels.items()
    assert deployment["spec"]["selector"]["matchLabels"].items() <= labels.items()
    (port,) = container("Deployment")["ports"]
    assert port["containerPort"] == Settings.model_fields["port"].default
    assert [entry["targetPort"] for entry in service["spec"]["ports"]] == [port["name"]]


def test_the_readme_names_every_key_of_the_secret() -> None:
    settings = [*container("Deployment")["env"], *container("Job")["env"]]
    keys = {setting["valueFrom"]["secretKeyRef"]["key"] for setting in settings if "valueFrom" in setting}
    readme = (BASE.parents[1] / "README.md").read_text()
    operators = readme.partition("## For operators")[2].partition("\n## ")[0]
    (paragraph,) = (part for part in operators.split("\n\n") if "[k8s/base]" in part)
    assert {key for key in keys if f"`{key}`" not in paragraph} == set()


def test_there_is_time_to_end_well() -> None:
    settings = {setting["name"]: setting.get("value") for setting in container("Deployment")["env"]}
    before = container("Deployment")["lifecycle"]["preStop"]["sleep"]["seconds"]
    grace = objects()["Deployment"]["spec"]["template"]["spec"]["terminationGracePeriodSeconds"]
    assert before + int(settings["BOHNANZA_SHUTDOWN_SECONDS"]) < grace
