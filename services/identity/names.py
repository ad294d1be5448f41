"""What a guest may be called: a visible name that shows the same to everybody, and a locale."""

import re
import unicodedata
from typing import Final

NAME_LENGTH: Final = 32
LOCALE_LENGTH: Final = 35

_LOCALE: Final = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*")

# Other, separators of lines and paragraphs: controls, bidirectional overrides, lone surrogates,
# unassigned code points. A name of these could hide, imitate another one or break a log line.
_HIDDEN_CATEGORIES: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})

# Letters and symbols in name only: they take up room (or none) and show nothing.
_BLANK: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")

# Persian and Indic spelling and joined emoji need these two between visible characters.
_JOINERS: Final = frozenset("\u200c\u200d")

# Real spelling stacks two or three marks on a letter; more of them only paint over other lines.
_MOST_MARKS: Final = 4


class NameRefused(ValueError):
    """The text cannot be shown as a name; the message says what to change."""


class LocaleRefused(ValueError):
    """The text is no language tag; the message says what one looks like."""


def guest_name(text: str) -> str:
    """The name in composed form (NFC) without spaces around it; NameRefused says what is wrong."""
    name = unicodedata.normalize("NFC", text).strip()
    if not 1 <= len(name) <= NAME_LENGTH:
        msg = f"A name has 1 to {NAME_LENGTH} visible characters."
        raise NameRefused(msg)
    marks = 0
    for position, character in enumerate(name):
        category = unicodedata.category(character)
        if character in _JOINERS:
            if position == 0 or position == len(name) - 1 or name[position - 1].isspace():
                msg = "A joiner stands between two visible characters."
                raise NameRefused(msg)
        elif category in _HIDDEN_CATEGORIES or character in _BLANK:
            msg = f"A name has visible characters only; leave out U+{ord(character):04X}."
            raise NameRefused(msg)
        marks = marks + 1 if category in ("Mn", "Me") else 0
        if marks > _MOST_MARKS or (marks and position == 0):
            msg = f"At most {_MOST_MARKS} combining marks may follow a letter, and none may lead."
            raise NameRefused(msg)
    return name


def locale_tag(text: str) -> str:
    """The tag as given; LocaleRefused unless it looks like `en` or `pt-BR` (BCP 47)."""
    if len(text) > LOCALE_LENGTH or _LOCALE.fullmatch(text) is None:
        msg = f"A locale is a language tag such as `en` or `pt-BR`, of at most {LOCALE_LENGTH} characters."
        raise LocaleRefused(msg)
    return text
