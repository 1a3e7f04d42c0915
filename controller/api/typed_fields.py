"""What a text of a body has to be: seen as it is, and where a reason is asked, something that may be one."""

from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationInfo, field_validator
from pydantic_core import PydanticCustomError

from controller.core.typed_text import LEAST, is_plain, is_reason, says_something

LINES = frozenset({"reason", "note"})
"""Fields that people write in several lines."""


def _reason(text: str) -> str:
    if not is_reason(text):
        raise PydanticCustomError("reason_blank", "a reason of {least} letters or more", {"least": LEAST})
    return text


def word(text: str) -> str:
    """A text that is left out, or says something."""
    if text and not says_something(text):
        raise PydanticCustomError("text_blank", "something to read is wanted")
    return text


Reason = Annotated[
    str, Field(min_length=4, max_length=500, description="why, in words; kept in the journal"), AfterValidator(_reason)
]
"""Every reason that is asked for: four letters or digits at least that are seen."""
Word = Annotated[str, Field(min_length=1, max_length=120), AfterValidator(word)]


class Form(BaseModel):
    """A body: unknown keys are refused, nothing is converted, and no text has a sign that nobody sees."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    @field_validator("*")
    @classmethod
    def _all_is_seen(cls, value: Any, info: ValidationInfo) -> Any:
        left = [value]
        while left:
            part = left.pop()
            if isinstance(part, str) and not is_plain(part, lines=info.field_name in LINES):
                raise PydanticCustomError("text_hidden", "a sign that is not seen")
            left += [*part, *part.values()] if isinstance(part, dict) else part if isinstance(part, list) else ()
        return value
