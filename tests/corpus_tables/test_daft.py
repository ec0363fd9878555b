"""Daft gives the rows of the pool: on this machine, and on a Ray cluster of two nodes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bitcodec import corpus

from .sample import EXAMPLES, HELLO, MODULES, ROOT, Rows, rows_in

daft = pytest.importorskip("daft")
pytest.importorskip("pyarrow")

ON_A_CLUSTER = """
import sys
import ray
from ray.cluster_utils import Cluster

cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
cluster.add_node(num_cpus=1)
ray.init(address=cluster.address, log_to_driver=False)
assert len([node for node in ray.nodes() if node["Alive"]]) == 2

import daft
from bitcodec import corpus

daft.set_runner_ray(cluster.address, noop_if_initialized=True)
files = daft.from_glob_path(sys.argv[1] + "/*.bc")
found = files.select(corpus.functions(files["path"])).where(daft.col("module").not_null())
found.repartition(1).write_parquet(sys.argv[2])
ray.shutdown()
cluster.shutdown()
"""


def in_order(rows: Rows) -> Rows:
    return sorted(rows, key=lambda row: [str(value) for value in row.values()])


def through_daft(table: str, files: list[Path], *columns: str) -> Rows:
    frame = daft.from_pydict({"path": [str(file) for file in files]})
    found = frame.select(getattr(corpus, table)(frame["path"], columns))
    kept = corpus.TABLES[table].key[0]
    rows: dict[str, list[Any]] = found.where(daft.col(kept).not_null()).to_pydict()
    return [dict(zip(rows, values, strict=True)) for values in zip(*rows.values(), strict=True)]


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tables")
    corpus.write_tables([*map(str, MODULES[:4])], folder)
    return folder


@pytest.mark.parametrize("table", corpus.TABLES)
def test_rows_are_those_of_the_pool(table: str, written: Path) -> None:
    assert in_order(through_daft(table, MODULES[:4])) == in_order(rows_in(written, table))


def test_a_file_that_cannot_be_read_is_a_row_of_errors(tmp_path: Path) -> None:
    (row,) = through_daft("errors", [tmp_path / "missing.bc", HELLO], "kind")
    assert row["kind"] == "file"


def test_globs_files_bytes_and_columns() -> None:
    frame = daft.from_glob_path(str(EXAMPLES / "*.bc"))
    by_path = frame.select(corpus.modules(frame["path"], ["file", "functions"])).to_pydict()
    assert list(by_path) == ["module", "file", "functions"]
    assert sorted(Path(name).name for name in by_path["file"]) == ["hello.bc", "queue.bc", "tagged.bc"]
    by_file = frame.select(corpus.modules(daft.functions.file(frame["path"]), ["functions"])).to_pydict()
    by_bytes = frame.select(corpus.modules(daft.functions.download(frame["path"]), ["functions"])).to_pydict()
    assert by_file["functions"] == by_bytes["functions"] == by_path["functions"]
    with pytest.raises(ValueError, match="no column"):
        corpus.modules(frame["path"], ["nonsense"])


def test_a_ray_cluster_of_two_nodes(tmp_path: Path) -> None:
    pytest.importorskip("ray")
    inputs = tmp_path / "inputs"
    inputs.mkdir()
    for path in MODULES[:6]:
        shutil.copy(path, inputs)
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "RAY_DISABLE_IMPORT_WARNING": "1"}
    environment |= {"RAY_ENABLE_UV_RUN_RUNTIME_ENV": "0", "DAFT_ANALYTICS_ENABLED": "0"}
    done = subprocess.run(
        [sys.executable, "-c", ON_A_CLUSTER, str(inputs), str(tmp_path / "theirs/functions")],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    corpus.write_tables([str(inputs)], tmp_path / "ours", tables=["functions"])
    assert in_order(rows_in(tmp_path / "theirs", "functions")) == in_order(rows_in(tmp_path / "ours", "functions"))
