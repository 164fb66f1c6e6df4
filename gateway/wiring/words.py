"""The part of the composition root that says which words of medicine are read, by section `rules`."""

from pathlib import Path

from gateway.config.settings import Settings
from memory.clinical.asserted import doubt
from memory.clinical.languages import use
from memory.errors import InvalidInput, SetupError


def use_words(settings: Settings) -> None:
    """Read the words of `rules.words_dir` beside those that come with the gateway. Raises SetupError.

    To be called once in a process, before anything is read; processes that are forked later have them too.
    """
    folder = Path(settings.rules.words_dir).expanduser() if settings.rules.words_dir else None
    try:
        use(more=folder)
        doubt("")  # what it has learnt is read now
    except InvalidInput as error:
        raise SetupError(f"rules.words_dir: {error.detail}") from None
    except (OSError, UnicodeError) as error:
        raise SetupError(f"rules.words_dir: {folder} cannot be read: {error}") from None
