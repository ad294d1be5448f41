"""A name shows the same to everybody, or it is refused with the reason."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.identity.names import LocaleRefused, NameRefused, guest_name, locale_tag


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Ada", "Ada"),
        ("  Ada Lovelace \n", "Ada Lovelace"),
        ("Jose\u0301", "Jos\u00e9"),
        ("李小龙", "李小龙"),
        ("👩‍👩‍👧", "👩‍👩‍👧"),
        ("می‌خواهم", "می‌خواهم"),
        ("x" * 32, "x" * 32),
        ("e\u0301" * 32, "\u00e9" * 32),
    ],
)
def test_visible_names_are_kept_in_composed_form(text: str, name: str) -> None:
    assert guest_name(text) == name


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "x" * 33,
        "a\u202eb",
        "a\u2066b",
        "a\x00b",
        "a\nb",
        "a\x1b[31mb",
        "\u200b",
        "a\u200bb",
        "\ufeffa",
        "\u200da",
        "a\u200d",
        "a \u200db",
        "\u3164",
        "\u2800",
        "\u0301a",
        "a" + "\u0316" * 5,
        "\ue000",
        "a\u2028b",
        "\U000e0041",
    ],
)
def test_hidden_blank_or_overlong_names_are_refused(text: str) -> None:
    with pytest.raises(NameRefused):
        guest_name(text)


@given(st.text(max_size=60))
def test_a_name_that_was_taken_is_taken_again_unchanged(text: str) -> None:
    try:
        name = guest_name(text)
    except NameRefused:
        return
    assert guest_name(name) == name
    assert 1 <= len(name) <= 32
    name.encode()


@pytest.mark.parametrize("text", ["en", "pt-BR", "zh-Hant-TW", "de-CH-1996", "x" * 8])
def test_language_tags_are_kept(text: str) -> None:
    assert locale_tag(text) == text


@pytest.mark.parametrize("text", ["", "e", "en_US", "en-", "-en", "en\n", "é", "en-" + "a" * 40, "12", "a" * 36])
def test_other_texts_are_no_language_tags(text: str) -> None:
    with pytest.raises(LocaleRefused):
        locale_tag(text)
