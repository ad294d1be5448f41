"""Tests the mutants of `domain`: mutmut makes them (settings in pyproject.toml), tests/domain must find them.

mutmut's own runner starts pytest anew for every mutant, which takes longer than the tests. Here pytest collects once;
each mutant then gets a fork of that session and runs, the fastest first and up to the first failure, the tests that
reach its function. Results stand where mutmut keeps its own: `.venv/bin/mutmut show NAME` and `browse` find them.
"""

import argparse
import fnmatch
import gc
import os
import resource
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from math import ceil
from pathlib import Path
from typing import NoReturn

import pytest
from _pytest.runner import runtestprotocol
from mutation_score import NO_TESTS, SKIPPED, print_scores, wording_only
from mutmut.__main__ import create_mutants
from mutmut.configuration import config
from mutmut.mutation.data import SourceFileMutationData
from mutmut.mutation.trampoline import set_mutant_under_test
from mutmut.state import state
from mutmut.utils.file_utils import (
    change_cwd,
    copy_also_copy_files,
    copy_src_dir,
    setup_source_paths,
    walk_mutatable_files,
)
from mutmut.utils.format_utils import mangled_name_from_mutant_name

MEMORY = 4 * 2**30
"""Bytes for one mutant: some fill a list for ever."""


class Mutation:
    """Takes over where pytest would run what it has collected."""

    def __init__(self, names: list[str], children: int, root: Path) -> None:
        self._names = names
        self._children = children
        self._root = root
        self._running: dict[int, tuple[SourceFileMutationData, str, float]] = {}
        self._reach: dict[str, list[pytest.Item]] = defaultdict(list)
        self._seconds: dict[str, float] = {}

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """First every test without a mutant, to learn what each reaches; then the mutants."""
        self._run_all(session.items)
        self._learn(session.items)
        set_mutant_under_test("")
        gc.freeze()  # or every fork would copy what the collector touches
        with change_cwd(self._root):
            for path in sorted(walk_mutatable_files()):
                self._test_file(path)
            while self._running:
                self._collect()
        return True

    def _run_all(self, items: list[pytest.Item]) -> None:
        """Once beforehand: whole games that tests play once and remember are no part of what they reach later."""
        set_mutant_under_test("")
        for item, failed in zip(items, failures(items), strict=True):
            if failed:
                pytest.exit(f"{item.nodeid} fails without any mutant", returncode=1)

    def _learn(self, items: list[pytest.Item]) -> None:
        set_mutant_under_test("stats")
        reached = state()._stats
        for item in items:
            forget()
            reached.clear()
            began = time.process_time()
            if any(failures([item])):
                pytest.exit(f"{item.nodeid} fails when it runs a second time", returncode=1)
            self._seconds[item.nodeid] = time.process_time() - began
            for function in reached:
                self._reach[function].append(item)
        for reaching in self._reach.values():
            reaching.sort(key=lambda item: self._seconds[item.nodeid])

    def _test_file(self, path: Path) -> None:
        data = SourceFileMutationData(path=path)
        data.load()
        wanted = [name for name in data.exit_code_by_key if self._is_wanted(name)]
        if not wanted:
            return
        print(f"{path}: {len(wanted)} mutants", file=sys.__stdout__, flush=True)
        wording = wording_only(data.meta_path, wanted)
        for name in wanted:
            items = self._reach.get(mangled_name_from_mutant_name(name), [])
            if name in wording:
                data.exit_code_by_key[name] = SKIPPED
            elif not items:
                data.exit_code_by_key[name] = NO_TESTS
            else:
                while len(self._running) >= self._children:
                    self._collect()
                self._start(data, name, items)
        data.save()

    def _is_wanted(self, name: str) -> bool:
        return not self._names or any(fnmatch.fnmatch(name, wanted) for wanted in self._names)

    def _start(self, data: SourceFileMutationData, name: str, items: list[pytest.Item]) -> None:
        process = os.fork()
        if not process:
            test(name, items, ceil(5 + sum(self._seconds[item.nodeid] for item in items)))
        self._running[process] = (data, name, time.monotonic())

    def _collect(self) -> None:
        process, status = os.wait()
        data, name, began = self._running.pop(process)
        data.exit_code_by_key[name] = os.waitstatus_to_exitcode(status)
        data.durations_by_key[name] = time.monotonic() - began
        data.save()


def test(name: str, items: list[pytest.Item], seconds: int) -> NoReturn:
    """In the fork: 1 if a test fails, 0 if none does. Whoever needs more processor time than that is ended."""
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    set_mutant_under_test(name)
    forget()
    os._exit(int(any(failures(items))))


def forget() -> None:
    """Empty the caches of `domain`: what they remember, no mutant can answer otherwise."""
    for name, module in [*sys.modules.items()]:
        if name.partition(".")[0] == "domain":
            for cached in vars(module).values():
                if hasattr(cached, "cache_clear"):
                    cached.cache_clear()


def failures(items: list[pytest.Item]) -> Iterator[bool]:
    """Whether each test fails, one after the other."""
    for item in items:
        yield any(report.failed for report in runtestprotocol(item, log=False, nextitem=None))


def main() -> None:
    """Make the mutants, test them, print the scores."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="only mutants of these names, such as 'domain.decide.*'")
    parser.add_argument("--max-children", type=int, default=2, help="how many at the same time")
    given = parser.parse_args()
    Path("mutants").mkdir(exist_ok=True)
    set_mutant_under_test("mutant_generation")
    copy_src_dir()
    copy_also_copy_files()
    setup_source_paths()
    create_mutants(given.max_children)
    mutation = Mutation(given.names, given.max_children, Path.cwd())
    with change_cwd("mutants"):
        selection = config().pytest_add_cli_args_test_selection
        status = pytest.main(["--rootdir=.", "--quiet", "--tb=native", *selection], plugins=[mutation])
    if status:
        sys.exit(status)
    print_scores()


if __name__ == "__main__":
    main()
