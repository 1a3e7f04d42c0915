"""Section of the end of a jackpot: how long before it is announced, and how soon its money must be with another one."""

from controller.config.base import Count, Model


class Closing(Model):
    """Days and months; the regulations' own figures differ, so that a site sets what holds where it stands."""

    notice_days: Count = 8
    """Days from the announcement to the first day without bets at least."""
    minimum_months: Count = 0
    """Months that a jackpot is played at least before it ends; 0: none."""
    move_days: Count = 30
    """Days in which the money of a closed jackpot must be moved; an alarm tells it a week before."""
