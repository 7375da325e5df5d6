"""The state of a match of Indian rummy: its deals, and each player's standing (R7, R8, R9)."""

from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from typing import Final, TypeAlias

from games.cards import FACES, Card, full_deck, is_joker, wild_rank
from games.engine import state
from games.engine.base import InvalidRules
from games.engine.moves import PilesStep
from games.engine.state import Groups, Stage, Stored, Value, deal_piles, replace
from games.indian.rules.ruleset import HAND_SIZE, RuleSet
from games.indian.rules.scoring import Survivor, are_few_enough, split_parts


class Phase(StrEnum):
    TURN = "turn"
    DECLARE = "declare"
    SHOW = "show"
    OVER = "over"


class IndianStatus(StrEnum):
    """A player's status in the deal."""

    PLAYING = "playing"
    DROPPED = "dropped"
    WRONG = "wrong"
    LEFT = "left"
    WON = "won"
    LOST = "lost"


_PLAYING, _WON = IndianStatus.PLAYING, IndianStatus.WON


class PointsOrigin(StrEnum):
    """The reason for the points that a player has in the deal."""

    FIRST_DROP = "first_drop"
    MIDDLE_DROP = "middle_drop"
    FULL_COUNT = "full_count"
    WRONG = "wrong"
    SHOWN = "shown"
    SAVED = "saved"
    BEST = "best"
    WON = "won"


class Ending(StrEnum):
    DECLARED = "declared"
    LAST_PLAYER = "last_player"
    LIMIT = "limit"
    WRONG = "wrong"


class Player(state.PilesPlayer, kw_only=True):
    status: IndianStatus = IndianStatus.PLAYING
    has_drawn: bool = False
    points: int | None = None
    how: PointsOrigin | None = None

    @property
    def is_playing(self) -> bool:
        return self.status is _PLAYING

    def take_out(self, status: IndianStatus, points: int, how: PointsOrigin) -> "Player":
        return replace(self, status=status, points=points, how=how)


def drop_points(rules: RuleSet, *, has_drawn: bool) -> int | None:
    """Return the points that a drop costs, or None if the rules have no drops.

    A drop is a first drop before the player's first draw, and a middle drop afterwards (R5.1).
    """
    return rules.middle_drop if has_drawn else rules.first_drop


class Declaration(Value):
    """The latest declaration of the deal. `reason` says why it was wrong; it is None for a valid one.

    `failed_group` is the index of the first group that is not a meld, if that was the reason.
    """

    seat: int
    groups: Groups
    reason: str | None = None
    failed_group: int | None = None


_DECLARE, _SHOW, _BETWEEN = Phase.DECLARE, Phase.SHOW, Stage.BETWEEN
_WITH_EXTRA_TIME: Final = (Phase.TURN, Phase.DECLARE)


class Deal(state.PilesDeal[Player], kw_only=True):
    players: tuple[Player, ...]
    wild: Card
    phase: Phase = Phase.TURN
    finish: Card | None = None
    declaration: Declaration | None = None
    ending: Ending | None = None
    restocks: int = 0

    @property
    def asked(self) -> tuple[int, ...]:
        """The seats that have to declare (R3.3) or to show their cards (R3.6), empty at other times."""
        if self.phase is _DECLARE:
            return (self.at_turn.seat,)
        return tuple([p.seat for p in self.playing]) if self.phase is _SHOW else ()

    @property
    def has_extra_time(self) -> bool:
        """Whether extra time may be used now: in a turn and in the declaration that follows it (R4.9)."""
        return self.phase in _WITH_EXTRA_TIME

    @property
    def wild_rank(self) -> int | None:
        return wild_rank(self.wild)

    @property
    def winners(self) -> tuple[int, ...]:
        return tuple([player.seat for player in self.players if player.status is _WON])

    @property
    def open_drawable(self) -> bool:
        """Whether the top of the open pile may be drawn.

        A joker may only be taken as the first open card, in the first turn (R4.4).
        """
        if not self.open_pile:
            return False
        return self.turn_number == 1 or not is_joker(self.open_pile[-1], self.wild_rank)

    def cards(self) -> Iterator[Card]:
        yield self.wild
        yield from super().cards()
        if self.finish is not None:
            yield self.finish


def deal_cards(rules: RuleSet, order: Sequence[int], seed: bytes) -> Deal:
    """Deal thirteen cards each, then the open card, the wild joker's indicator and the rest (R4.2)."""
    packs = rules.packs_at(len(order))
    if packs * FACES < len(order) * HAND_SIZE + 3:
        raise InvalidRules(f"{packs} packs are too few for {len(order)} players.")
    fields = deal_piles(Player, rules, full_deck(packs), order, HAND_SIZE, seed=seed)
    *rest, indicator = fields["closed"]
    return Deal(**{**fields, "closed": tuple(rest), "wild": indicator})


# --- A match.


class Membership(StrEnum):
    """A player's membership in the match: still in, eliminated, or gone."""

    IN = "in"
    ELIMINATED = "eliminated"
    LEFT = "left"


class MatchStanding(Value):
    seat: int
    membership: Membership = Membership.IN
    score: int = 0
    chips: int = 0
    deals_won: int = 0
    entries: int = 1
    # The deal in which the player went out of the match.
    out_in: int | None = None
    # R10.4: the place after the tie-breakers for a qualifying place, from 0. Equal players share one.
    tie_place: int = 0

    @property
    def is_in(self) -> bool:
        return self.membership is Membership.IN

    def eliminate(self, membership: Membership, deal_number: int) -> "MatchStanding":
        """Return the standing of a player who is out of the match now, as `membership` says.

        If the player was already out, the number of the deal in which that happened is kept (R8.8).
        """
        out_in = deal_number if self.is_in else self.out_in
        return replace(self, membership=membership, out_in=out_in)

    def rejoin(self, score: int) -> "MatchStanding":
        """Return the standing of a player who has paid to rejoin (R8.2), with this score."""
        return replace(
            self, membership=Membership.IN, out_in=None, score=score, entries=self.entries + 1
        )


def rate_standing(standing: MatchStanding, rules: RuleSet) -> tuple[int, ...]:
    """Return the key by which standings are ranked: the lower the key, the better the rank."""
    if rules.is_event_pool:  # R10.13
        return (standing.score,)
    return (-standing.chips, -standing.deals_won, standing.score, standing.tie_place)


class QuestionSubject(StrEnum):
    """The subject of a question between two deals."""

    REJOIN = "rejoin"
    SPLIT = "split"


class Question(Value):
    """A question between two deals, and the seats that have not answered yet."""

    about: QuestionSubject
    waiting: tuple[int, ...]
    # R8.2: the score at which an eliminated player comes back.
    score: int | None = None
    # R8.4: the player who offers to split the prize; None if the table does.
    asker: int | None = None


class Match(state.Course[RuleSet, Deal], kw_only=True):
    rules: RuleSet
    deal: Deal
    # All players of the match, in the order of play of this deal; the first to move leads (R4.1).
    standings: tuple[MatchStanding, ...]
    tie_breaker: bool = False
    question: Question | None = None
    # R8.4: one offer in each break.
    may_offer: bool = True
    # The winners and their shares of the prize; odd units are distributed in this order.
    parts: tuple[tuple[int, int], ...] = ()

    @property
    def seats(self) -> tuple[int, ...]:
        return tuple([standing.seat for standing in self.standings])

    @property
    def staying(self) -> tuple[int, ...]:
        gone = Membership.LEFT
        return tuple([s.seat for s in self.standings if s.membership is not gone])

    @property
    def asked(self) -> tuple[int, ...]:
        return super().asked if self.question is None else self.question.waiting

    @property
    def winners(self) -> tuple[int, ...]:
        return tuple(sorted(seat for seat, _ in self.parts))

    @property
    def leaders(self) -> tuple[MatchStanding, ...]:
        most = max(standing.chips for standing in self.survivors)
        return tuple(standing for standing in self.survivors if standing.chips == most)

    @property
    def by_merit(self) -> tuple[MatchStanding, ...]:
        """The survivors, ranked by chips, deals won, fewer points, and tie-breakers (R10.4)."""
        return tuple(
            sorted(self.survivors, key=lambda standing: rate_standing(standing, self.rules))
        )

    @property
    def contenders(self) -> tuple[MatchStanding, ...]:
        """The survivors who have to play a tie-breaker (R9.2, R10.4).

        If they are fewer than two, no tie has to be broken.
        """
        places = self.rules.qualifiers
        if places is None:
            return self.leaders
        keys = [rate_standing(standing, self.rules) for standing in self.by_merit]
        if places >= len(keys) or keys[places - 1] != keys[places]:
            return ()
        return tuple(
            standing
            for standing in self.survivors
            if rate_standing(standing, self.rules) == keys[places]
        )

    @property
    def deal_rules(self) -> RuleSet:
        return self.rules.without_drops() if self.tie_breaker else self.rules

    @property
    def survivors(self) -> tuple[MatchStanding, ...]:
        return tuple([standing for standing in self.standings if standing.is_in])

    def get_standing(self, seat: int) -> MatchStanding | None:
        for standing in self.standings:
            if standing.seat == seat:
                return standing
        return None

    def with_standings(self, changed: Iterable[MatchStanding]) -> "Match":
        by_seat = {standing.seat: standing for standing in changed}
        return replace(self, standings=tuple(by_seat.get(s.seat, s) for s in self.standings))

    # --- The prize (R8.4, R8.5).

    @property
    def fees(self) -> dict[int, int]:
        return {standing.seat: standing.entries for standing in self.standings}

    @property
    def split(self) -> dict[int, int] | None:
        """The number of parts of the prize that each survivor would get in a split, by seat (R8.5).

        It is None if the prize cannot be split.
        """
        survivors, rules = self.survivors, self.rules
        if not rules.split or not are_few_enough(
            rules, began=len(self.standings), left=len(survivors)
        ):
            return None
        scores = [Survivor(standing.seat, standing.score) for standing in survivors]
        return split_parts(scores, rules, entries=sum(self.fees.values()))

    @property
    def shares_offered(self) -> dict[int, int] | None:
        question = self.question
        is_asked = question is not None and question.about is QuestionSubject.SPLIT
        return self.split if is_asked or self.stage is _BETWEEN else None

    @property
    def offers_split(self) -> bool:
        """Whether a split may be offered in this break."""
        return self.stage is _BETWEEN and self.may_offer and self.split is not None


def find_winners(match: Match) -> tuple[int, ...]:
    """Return the seats that have won the match, or an empty tuple while the match goes on (R5.5, R9.2, R10.4).

    A pool at a tournament table is over as soon as no more players are left in it than advance from it (R10.13).
    """
    rules = match.rules
    if rules.deals == 1 and rules.qualifiers is None:
        return match.deal.winners
    if not match.survivors:  # R5.5: the last players went out in this deal
        return match.deal.winners
    places = rules.qualifiers if rules.is_event_pool else None
    if len(match.survivors) <= (places or 1):
        return find_leaders(match)
    if rules.deals is None or match.number < rules.deals:
        return ()
    if rules.qualifiers is None:
        leaders = tuple(standing.seat for standing in match.leaders)
        return leaders if len(leaders) == 1 else ()
    return () if match.contenders else find_leaders(match)


def find_leaders(match: Match) -> tuple[int, ...]:
    """Return the seats of the survivors with the best standing. There are several if their standings are equal."""
    rules, best = match.rules, rate_standing(match.by_merit[0], match.rules)
    return tuple(s.seat for s in match.survivors if rate_standing(s, rules) == best)


Step: TypeAlias = PilesStep[Match, Deal, Player, RuleSet]


# --- Stored matches.

# States as bytes.
STORED: Final = Stored(Match, version=2)
