"""The compose file and the Kubernetes manifests, checked by schemas.

The schemas are those of the Compose specification (2.16) and of Kubernetes (1.32). Beside them is their license.
"""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
import yaml

from core.conf import declared
from tests.processes.running import ROOT
from tests.tooling.test_dockerfile import instructions

pytestmark = pytest.mark.once

DEPLOY = ROOT / "deploy"
SCHEMAS = Path(__file__).parent / "schemas"
KUBERNETES = DEPLOY / "kubernetes"
EXAMPLE = KUBERNETES / "overlays" / "example"
MANIFESTS = [path for path in sorted(KUBERNETES.rglob("*.yaml")) if path.name != "kustomization.yaml"]
STOP_SECONDS = 28
"""The time that a stop takes at most after the drain (config/serving/processes.py)."""


def schema(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((SCHEMAS / name).read_text())
    return found


def find_faults(manifest: Any) -> list[str]:
    """Return the faults of a manifest of Kubernetes."""
    definitions = schema("kubernetes-1.32.json")["$defs"]
    [name] = [name for name in definitions if name.startswith("io.k8s.api.") and name.endswith(f".{manifest['kind']}")]
    validator = jsonschema_rs.validator_for({"$ref": f"#/$defs/{name}", "$defs": definitions})
    return [f"{manifest['kind']}: {error.instance_path} {error.message}" for error in validator.iter_errors(manifest)]


def manifests() -> Iterator[Any]:
    for path in MANIFESTS:
        yield from yaml.safe_load_all(path.read_text())


def read_variables(path: Path) -> dict[str, str]:
    lines = [line for line in path.read_text().splitlines() if line and not line.startswith("#")]
    return {name: value for name, _, value in (line.partition("=") for line in lines)}


@pytest.fixture
def rendered(tmp_path: Path) -> list[Any]:
    """The manifests of the example, as kustomize writes them."""
    programs = {"kustomize": ["kustomize", "build"], "kubectl": ["kubectl", "kustomize"]}
    found = next((command for name, command in programs.items() if shutil.which(name)), None)
    if found is None:
        pytest.skip("neither kustomize nor kubectl is installed")
    shutil.copytree(KUBERNETES, tmp_path / "kubernetes")
    example = tmp_path / "kubernetes" / "overlays" / "example"
    shutil.copy(example / "secrets.env.example", example / "secrets.env")
    built = subprocess.run([*found, str(example)], capture_output=True, text=True, check=True)
    return list(yaml.safe_load_all(built.stdout))


def test_the_compose_file_has_the_form_of_the_specification() -> None:
    compose = yaml.safe_load((DEPLOY / "compose" / "compose.yaml").read_text())

    validator = jsonschema_rs.validator_for(schema("compose.json"))

    assert [f"{error.instance_path} {error.message}" for error in validator.iter_errors(compose)] == []


def test_the_schema_of_compose_finds_a_misspelt_member() -> None:
    compose = {"services": {"web": {"image": "gatehouse", "stop_grace": "60s"}}}

    assert not jsonschema_rs.validator_for(schema("compose.json")).is_valid(compose)


def test_each_file_that_compose_mounts_exists_or_is_a_secret_of_the_operator() -> None:
    directory = DEPLOY / "compose"
    compose = yaml.safe_load((directory / "compose.yaml").read_text())

    assert [config["file"] for config in compose["configs"].values() if not (directory / config["file"]).exists()] == []
    assert all(secret["file"].startswith("secrets/") for secret in compose["secrets"].values())
    assert (directory / compose["x-service"]["build"] / "Dockerfile").exists()


def test_compose_mounts_the_volume_of_the_image() -> None:
    compose = yaml.safe_load((DEPLOY / "compose" / "compose.yaml").read_text())

    assert compose["x-service"]["volumes"] == [f"keys:{instructions('VOLUME')[-1]}"]


def test_the_manifests_have_the_form_of_kubernetes() -> None:
    assert [fault for manifest in manifests() for fault in find_faults(manifest)] == []


def test_the_schema_of_kubernetes_finds_a_misspelt_member() -> None:
    service = next(manifest for manifest in manifests() if manifest["kind"] == "Service")
    service["spec"]["selectors"] = {}

    assert len(find_faults(service)) == 1


def test_every_pod_may_run_under_the_restricted_standard() -> None:
    pods = [manifest["spec"]["template"]["spec"] for manifest in manifests() if "template" in manifest.get("spec", {})]

    assert len(pods) == 3
    for pod in pods:
        assert pod["securityContext"]["runAsNonRoot"]
        assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
        assert (
            f"{pod['securityContext']['runAsUser']}:{pod['securityContext']['runAsGroup']}" == instructions("USER")[-1]
        )
        for container in [*pod["containers"], *pod.get("initContainers", [])]:
            assert container["securityContext"] == {
                "allowPrivilegeEscalation": False,
                "readOnlyRootFilesystem": True,
                "capabilities": {"drop": ["ALL"]},
            }


def test_kustomize_builds_the_example(rendered: list[Any]) -> None:
    assert sorted(manifest["kind"] for manifest in rendered) == [
        *("ConfigMap", "Deployment", "Deployment", "Ingress", "Job", "Namespace"),
        *("NetworkPolicy", "PodDisruptionBudget", "Secret", "Service"),
    ]
    assert [fault for manifest in rendered for fault in find_faults(manifest)] == []
    images = {image for text in map(json.dumps, rendered) for image in re.findall(r'"image": "([^"]+)"', text)}
    assert images == {"images.example.com/gatehouse:0.1.0"}


def helm(*values: str) -> list[Any]:
    """Return the manifests of the chart."""
    if shutil.which("helm") is None:
        pytest.skip("helm is not installed")
    command = ["helm", "template", "release", str(DEPLOY / "helm" / "gatehouse"), *values]
    rendered = subprocess.run(command, capture_output=True, text=True, check=True)
    return list(yaml.safe_load_all(rendered.stdout))


def essence(manifests: list[Any]) -> list[str]:
    """Return the kind, the name and the content of each manifest, without hashes and revisions in the names.

    The chart makes neither a secret nor a namespace.
    """
    parts = [
        json.dumps(
            [manifest.get(name) for name in ("kind", "spec", "data")] + [manifest["metadata"]["name"]], sort_keys=True
        )
        for manifest in manifests
        if manifest["kind"] not in {"Secret", "Namespace"}
    ]
    return sorted(re.sub(r'"gatehouse(-migrate)?-(?:[a-z0-9]{8,10}|\d)"', r'"gatehouse\1"', part) for part in parts)


def test_helm_renders_the_same_objects_as_kustomize(rendered: list[Any]) -> None:
    assert essence(helm()) == essence(rendered)
    assert [fault for manifest in helm() for fault in find_faults(manifest)] == []


def test_the_values_of_the_chart_replace_those_of_the_manifests() -> None:
    values = "image=other:2,replicas.web=5,replicas.worker=1,settings.DRAIN_SECONDS=20,ingress.host=id.example.com"
    text = json.dumps(helm("--set-string", values))

    assert set(re.findall(r'"image": "([^"]+)"', text)) == {"other:2"}
    assert re.findall(r'"replicas": (\d)', text) == ["5", "1"]
    assert '"DRAIN_SECONDS": "20"' in text
    assert "auth.example.com" not in text.replace("https://auth.example.com", "")


def test_the_network_policy_selects_every_pod(rendered: list[Any]) -> None:
    [policy] = [manifest for manifest in rendered if manifest["kind"] == "NetworkPolicy"]
    labels = [
        manifest["spec"]["template"]["metadata"]["labels"]
        for manifest in rendered
        if "template" in manifest.get("spec", {})
    ]

    selected = policy["spec"]["podSelector"]["matchLabels"].items()
    assert len(labels) == 3
    assert all(selected <= found.items() for found in labels)


@pytest.mark.parametrize(
    "path",
    [DEPLOY / "environment.example", EXAMPLE / "settings.env", EXAMPLE / "secrets.env.example"],
    ids=lambda path: path.name,
)
def test_each_variable_is_a_setting(path: Path) -> None:
    known = {declaration.name for _, declaration in declared()}

    assert set(read_variables(path)) <= known


def test_the_examples_hold_no_secret() -> None:
    for path in (DEPLOY / "environment.example", EXAMPLE / "secrets.env.example"):
        assert {value for name, value in read_variables(path).items() if name.endswith("KEY")} == {""}


def test_every_stop_has_time_to_drain() -> None:
    compose = yaml.safe_load((DEPLOY / "compose" / "compose.yaml").read_text())
    [web] = [
        manifest
        for manifest in manifests()
        if manifest["metadata"]["name"] == "gatehouse-web" and manifest["kind"] == "Deployment"
    ]
    unit = (DEPLOY / "systemd" / "gatehouse-web.service").read_text()
    drains = {
        "compose": (
            int(compose["x-service"]["environment"]["DRAIN_SECONDS"]),
            int(compose["services"]["web"]["stop_grace_period"][:-1]),
        ),
        "kubernetes": (
            int(read_variables(EXAMPLE / "settings.env")["DRAIN_SECONDS"]),
            web["spec"]["template"]["spec"]["terminationGracePeriodSeconds"],
        ),
        "systemd": (
            int(read_variables(DEPLOY / "environment.example")["DRAIN_SECONDS"]),
            int(re.findall(r"TimeoutStopSec=(\d+)", unit)[0]),
        ),
    }

    assert {name for name, (drain, grace) in drains.items() if grace <= drain + STOP_SECONDS} == set()
