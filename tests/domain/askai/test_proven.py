"""Questions that the grammar reads and no verified question proves. The parser refuses them."""

import pytest

from askai.parser import grammar, parse
from askai.parser.languages import lexicon
from askai.parser.lexicon import fold
from askai.parser.proven import BORDER, check_neighbours, classes, neighbours
from askai.plans.plan import Language, PlanInvalid
from tests.rows import each

from .test_mutations import questions

pytestmark = pytest.mark.once

UNPROVEN = (
    (Language.EN, "What happened between noon and 6 pm come from?"),
    (Language.EN, "Which sessions most often from Berlin by day?"),
    (Language.DE, "Im November curl Anmeldungen?"),
    (Language.DE, "Gab es mich im August vom Mac aus angemeldet?"),
    (Language.FR, "Mes quels appareils suis-je connecté actuellement ?"),
    (Language.FR, "La session la plus ancienne quand ?"),
    (Language.ES, "¿Dónde tengo la sesión abierta de noviembre?"),
    (Language.ES, "¿Fue rechazada alguna ¿Hubo más inicios de sesión esta semana que la semana pasada?"),
    (Language.JA, "パリからログあったことを全部教えて"),
    (Language.JA, "11/9なセッション"),
)


@each("language, question", UNPROVEN)
def test_a_question_with_neighbours_of_no_verified_question_is_refused(language: Language, question: str) -> None:
    chunks = grammar.join(lexicon(language).read(fold(question)))
    assert grammar.read(chunks)

    with pytest.raises(PlanInvalid):
        check_neighbours(chunks, language)
    for given in (language, None):
        with pytest.raises(PlanInvalid):
            parse(question, language=given)


@pytest.mark.parametrize("language", Language)
def test_the_reverse_order_of_an_answered_question_is_refused_but_for_symmetric_ones(language: Language) -> None:
    answered = []
    for question in questions(language):
        chunks = grammar.join(lexicon(language).read(question))
        if len(chunks) > 4:
            try:
                check_neighbours(chunks[::-1], language)
                answered.append(question)
            except PlanInvalid:
                continue

    assert len(answered) < 3


def test_polite_words_and_the_last_sign_are_no_neighbours() -> None:
    plain, polite = (
        [*neighbours(classes(grammar.join(lexicon(Language.EN).read(fold(question)))), 3)]
        for question in ("show logins", "Please show logins, thanks!")
    )

    assert plain == polite == [(BORDER, "show", "con"), ("show", "con", BORDER)]


def test_a_short_question_is_one_run() -> None:
    assert [*neighbours(["con"], 4)] == [(BORDER, "con", BORDER)]
