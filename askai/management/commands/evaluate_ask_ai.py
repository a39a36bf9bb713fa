"""`manage.py evaluate_ask_ai`: measures how well the parser or a language model understands questions."""

import os
from argparse import ArgumentParser
from collections import Counter
from functools import partial
from typing import Any

import orjson
from django.core.management.base import CommandError

from core.commands import ServiceCommand

from ...errors import AskAiUnavailable
from ...evaluation import Case, CaseResult, Outcome, evaluate, load_cases
from ...parser import parse
from ...plans.entities import COLUMNS
from ...plans.plan import Query
from ...plans.plan_json import as_json, read_query
from ...providers import ask_model
from ...providers.prompt import make_prompt
from ...running.facts import fact_names
from ...settings.stored import DEFAULT_MAX_TOKENS, LlmKind, LlmSettings


class Command(ServiceCommand):
    """Lets a planner plan every question of the evaluation, and prints the results."""

    help = "Let the parser or a language model plan every evaluation question. Print its mistakes and its score."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--kind",
            choices=[kind.value for kind in LlmKind],
            default=LlmKind.BUILTIN,
            help="kind of planner (default: builtin)",
        )
        parser.add_argument("--model", default="", help="name of the language model")
        parser.add_argument("--api-key-env", metavar="NAME", help="name of the environment variable with the API key")

    def handle(self, *args: Any, kind: str, model: str, api_key_env: str | None, **options: Any) -> None:
        cases = load_cases()
        outcomes: Counter[tuple[str, Outcome]] = Counter()
        try:
            for number, result in enumerate(evaluate(cases, _planner(kind, model, api_key_env)), start=1):
                outcomes.update((name, result.outcome) for name in _groups_of(result.case))
                if result.outcome is not Outcome.EXACT:
                    self.stdout.write(f"{number}/{len(cases)} {_describe(result)}")
                elif number % 25 == 0:
                    self.stdout.write(f"{number}/{len(cases)}")
        except AskAiUnavailable:
            raise CommandError("The language model does not answer. The log states the reason.") from None
        for name in sorted({name for name, _ in outcomes}):
            counts = {outcome: outcomes[name, outcome] for outcome in Outcome}
            total = sum(counts.values())
            self.stdout.write(
                f"{name}: {counts[Outcome.EXACT]} of {total} exact ({counts[Outcome.EXACT] / total:.1%}),"
                f" {counts[Outcome.REFUSED]} refused, {counts[Outcome.WRONG]} wrong"
            )


def _groups_of(case: Case) -> list[str]:
    """Return the names of the groups in which the case counts: answerable or not, its language, and its kind."""
    if case.query is None:
        return ["out of scope", f"out of scope, language {case.language}"]
    parts = as_json(case.query)["parts"]
    kinds = {"fact" if "fact" in part else part["answer"]["kind"] for part in parts}
    kind = "several parts" if len(parts) > 1 else kinds.pop()
    return ["answerable", f"answerable, language {case.language}", f"answerable, kind {kind}"]


def _planner(kind: str, model: str, api_key_env: str | None) -> partial[Query]:
    if kind == LlmKind.BUILTIN:
        return partial(parse)
    if not model or not api_key_env or api_key_env not in os.environ:
        raise CommandError(
            "This kind needs --model, and --api-key-env with the name of an environment variable that is set."
        )
    provider = LlmSettings(
        kind=LlmKind(kind), model=model, max_tokens=DEFAULT_MAX_TOKENS, api_key=os.environ[api_key_env]
    )
    return partial(_ask, provider)


def _ask(provider: LlmSettings, question: str) -> Query:
    return read_query(
        ask_model(prompt=make_prompt(question=question, entities=tuple(COLUMNS), facts=fact_names()), provider=provider)
    )


def _describe(result: CaseResult) -> str:
    lines = [f"{result.outcome.value}: {result.case.question}"]
    for name, query in (("planned", result.query), ("expected", result.case.query)):
        lines.append(f"    {name:<9}{orjson.dumps(as_json(query)).decode() if query else 'refused'}")
    return "\n".join(lines)
