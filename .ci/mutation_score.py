"""The mutation score of the last `make mutation`, file by file, and the name of every mutant that survived.

Mutants that change nothing but a sentence for people, or leave it out, are counted apart and not tested: no test
compares texts word for word.
"""

import ast
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

MUTANTS = Path("mutants")
SURVIVED, KILLED = 0, 1
NO_TESTS, SKIPPED = 33, 34
"""As mutmut has them."""
ENDED = {-9, -24}
"""By the signals for a process that has used up its time."""


@dataclass
class Score:
    """What became of the mutants of one file."""

    killed: int = 0
    timed_out: int = 0
    survived: int = 0
    wording: int = 0
    not_run: int = 0

    @property
    def mutants(self) -> int:
        """All that this run knows about."""
        return self.tested + self.wording

    @property
    def tested(self) -> int:
        """Those that a test could find."""
        return self.killed + self.timed_out + self.survived

    def add(self, other: "Score") -> None:
        """Count these too."""
        for name, number in vars(other).items():
            setattr(self, name, getattr(self, name) + number)

    def row(self, name: str) -> str:
        """One line of the table."""
        killed = self.killed + self.timed_out
        score = f"{100 * killed / self.tested:.1f} %" if self.tested else "-"
        numbers = [self.mutants, self.wording, self.tested, killed, self.timed_out, self.survived, score]
        return f"| {name} | {' | '.join(map(str, numbers))} |"


def is_sentence(node: ast.AST) -> bool:
    """A text for people: built from parts, or with a space or a capital letter, which no code, tag or name has."""
    return isinstance(node, ast.JoinedStr) or (
        isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and (" " in node.value or node.value[:1].isupper())
    )


def differs_in_wording_only(original: ast.AST, mutant: ast.AST) -> bool:
    """Whether the two are the same but for their sentences; no sentence at all is another one too."""
    if is_sentence(original):
        return is_sentence(mutant) or (isinstance(mutant, ast.Constant) and mutant.value is None)
    if type(original) is not type(mutant):
        return False
    ours, theirs = [*parts(original)], [*parts(mutant)]
    return len(ours) == len(theirs) and all(
        differs_in_wording_only(one, other) if isinstance(one, ast.AST) and isinstance(other, ast.AST) else one == other
        for one, other in zip(ours, theirs, strict=True)
    )


def parts(node: ast.AST) -> Iterator[object]:
    """What a node is made of, in order; a function's own name left aside."""
    for name, value in ast.iter_fields(node):
        if not (isinstance(node, ast.FunctionDef) and name == "name"):
            yield from value if isinstance(value, list) else [value]


def wording_only(meta: Path, mutants: list[str]) -> set[str]:
    """Those of the mutants that only say something else, or nothing."""
    tree = ast.parse(meta.with_suffix("").read_text())
    functions = {node.name: node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    names = {mutant: mutant.rpartition(".")[2] for mutant in mutants}
    return {
        mutant
        for mutant, name in names.items()
        if differs_in_wording_only(functions[re.sub(r"\d+$", "orig", name)], functions[name])
    }


def score_of(meta: Path, survivors: list[str]) -> Score:
    """Count the mutants of one file; append those that survived and are more than wording."""
    score = Score()
    for mutant, code in json.loads(meta.read_text())["exit_code_by_key"].items():
        if code is None:
            score.not_run += 1
        elif code == KILLED:
            score.killed += 1
        elif code in ENDED:
            score.timed_out += 1
        elif code == SKIPPED:
            score.wording += 1
        else:
            score.survived += 1
            survivors.append(mutant if code == SURVIVED else f"{mutant} (reached by no test: {code})")
    return score


def print_scores() -> None:
    """The table, then the survivors."""
    survivors: list[str] = []
    total = Score()
    print("| file | mutants | wording only | tested | killed | of these by time limit | survived | score |")
    print("|---|---|---|---|---|---|---|---|")
    for meta in sorted(MUTANTS.rglob("*.py.meta")):
        score = score_of(meta, survivors)
        if score.mutants:
            print(score.row(f"`{meta.relative_to(MUTANTS).with_suffix('')}`"))
            total.add(score)
    print(total.row("**all**"))
    if total.not_run:
        print(f"\nLeft out of this run: {total.not_run}")
    if survivors:
        print("\nSurvived (`.venv/bin/mutmut show NAME` shows the change):")
        print("\n".join(survivors))


if __name__ == "__main__":
    print_scores()
