"""Days that are counted from the one that the text spoke of before: the next day, three days later."""

from datetime import timedelta

from memory.language.dates.calendar import Frame, Meaning, Stretch, moved, unit_around


def days_on(count: int) -> Meaning:
    """So many days after the day that was told of; no date where none was."""

    def meaning(frame: Frame, outer: Stretch | None) -> Stretch | None:
        if outer is not None or frame.told is None:
            return None
        return unit_around(frame.told + timedelta(days=count), "day")

    return meaning


def later(unit: str, count: int, *, from_now: bool = True) -> Meaning:
    """So many units after the day that was told of, where that is over by now; else from now, or no date."""

    def meaning(frame: Frame, outer: Stretch | None) -> Stretch | None:
        if outer is not None:
            return None
        if frame.told is not None and frame.tense() <= 0:
            small = unit in {"second", "minute", "hour"}
            after = unit_around(frame.told if small else moved(frame.told, unit, count), "day" if small else unit)
            if after.begin <= frame.now:
                return after
        return unit_around(moved(frame.now, unit, count), unit) if from_now else None

    return meaning
