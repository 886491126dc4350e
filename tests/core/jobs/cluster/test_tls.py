"""A cluster over TLS, set up as docs/scale.md says: by Dask's own environment variables."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.helpers.clusters import local_cluster, needs_part
from tests.helpers.command import epitome
from tests.helpers.towns import write_documents

pytestmark = [
    needs_part,
    pytest.mark.skipif(not shutil.which("openssl"), reason="openssl, which makes certificates"),
]
_DASK = "DASK_DISTRIBUTED__COMM__"


def certificate(folder: Path, name: str) -> dict[str, str]:
    """Makes a certificate that vouches for itself; gives Dask's variables for it."""
    own, key = folder / f"{name}.pem", folder / f"{name}-key.pem"
    kind = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-noenc", "-days", "2")
    command = ["openssl", "req", "-x509", *kind, "-subj", f"/CN={name}", "-keyout", key]
    subprocess.run([*command, "-out", own], check=True, capture_output=True)
    variables = {f"{_DASK}TLS__CA_FILE": str(own), f"{_DASK}REQUIRE_ENCRYPTION": "true"}
    for role in ("SCHEDULER", "WORKER", "CLIENT"):
        variables[f"{_DASK}TLS__{role}__CERT"] = str(own)
        variables[f"{_DASK}TLS__{role}__KEY"] = str(key)
    return variables


def test_documents_go_over_tls_and_only_to_who_has_the_certificate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    documents = write_documents(tmp_path / "documents", 3)
    ours, others = (certificate(tmp_path, name) for name in ("ours", "others"))
    for name, value in ours.items():
        monkeypatch.setenv(name, value)
    with local_cluster(tmp_path / "cluster", 0, protocol="tls") as cluster:
        assert cluster.address.startswith("tls://")
        cluster.add_worker()

        def summarise(address: str, out: str) -> tuple[int, str]:
            where = ("--cluster", address, "--out", str(tmp_path / out))
            code, _, said = epitome("summarise", str(documents), *where)
            return code, said

        code, said = summarise(cluster.address, "summaries")
        assert (code, len(list((tmp_path / "summaries").glob("*.md")))) == (0, 3), said
        code, said = summarise(cluster.address.replace("tls:", "tcp:"), "plain")
        assert code == 1 and "cannot be reached" in said
        for name, value in others.items():
            monkeypatch.setenv(name, value)
        code, said = summarise(cluster.address, "foreign")
        assert code == 1 and "cannot be reached" in said
    assert not (tmp_path / "plain").exists() and not (tmp_path / "foreign").exists()
