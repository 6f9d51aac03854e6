"""What is promised about something released: known before the draw, the same after it."""
from typing import Any, Dict, Union

from ._native import (Handle, Immutable, constant, encoded, ffi, json_of, lib, name_of, number,
                      text)
from .mechanism import Curve

__all__ = ["Guarantee", "Promising"]


class Guarantee(Immutable):
    """Notion, curve and premises. Lent by embedders, perturbers, propagators and releases
    (`.guarantee`); `Guarantee.state` makes one for something that is drawn by other means."""

    __slots__ = ()
    _type = "pvg_guarantee"

    @classmethod
    def state(cls, curve: Curve, *, notion: Union[str, int] = "edge", words: str = "") -> "Guarantee":
        """The caller's own statement, to charge a ledger with."""
        return cls._make("pvg_guarantee_state", constant("NOTION", notion, "notion"),
                         curve._pointer, encoded(words) if words else ffi.NULL)

    @classmethod
    def parse(cls, record: str) -> "Guarantee":
        """From the JSON text of a record."""
        data = record.encode()
        return cls._make("pvg_guarantee_parse", data, len(data))

    @property
    def notion(self) -> str:
        """What is hidden: "edge", "edge-ldp", "label-ldp", ..."""
        return name_of("NOTION", lib.pvg_guarantee_notion(self._pointer))

    @property
    def holds(self) -> bool:
        """Whether it is worth something."""
        return bool(lib.pvg_guarantee_holds(self._pointer))

    @property
    def delta(self) -> float:
        """The delta that was asked for."""
        return lib.pvg_guarantee_delta(self._pointer)

    def epsilon(self, delta: float = 0.0) -> float:
        """epsilon at any delta; infinite where nothing holds."""
        return number("double", "pvg_guarantee_epsilon", self._pointer, delta)

    def curve(self) -> Curve:
        """What is spent, to compose with others."""
        return Curve._make("pvg_guarantee_curve", self._pointer)

    @property
    def claim(self) -> str:
        """Id of the claim in docs/guarantees.md."""
        return ffi.string(lib.pvg_guarantee_claim(self._pointer)).decode()

    @property
    def record(self) -> Dict[str, Any]:
        """Notion, epsilon, delta, noise law, assumptions, ..."""
        return json_of("pvg_guarantee_copy_json", self._pointer)

    @property
    def text(self) -> str:
        """In plain words."""
        return text("pvg_guarantee_copy_text", self._pointer)

    def __repr__(self) -> str:
        return f"<Guarantee {self.notion}{'' if self.holds else ', NOT PRIVATE'}, {self.claim}>"


class Promising(Handle):
    """What has a guarantee, and shows it as its own."""

    __slots__ = ()

    @property
    def guarantee(self) -> Guarantee:
        """What is promised."""
        return Guarantee._lend(getattr(lib, self._type + "_guarantee")(self._pointer), self)

    @property
    def notion(self) -> str:
        """What is hidden: "edge", "edge-ldp", "feature-ldp", ..."""
        return self.guarantee.notion

    def epsilon(self, delta: float = 0.0) -> float:
        """epsilon of the guarantee at any delta; infinite where nothing holds."""
        return self.guarantee.epsilon(delta)

    def curve(self) -> Curve:
        """The guarantee as a curve, to compose with others."""
        return self.guarantee.curve()

    @property
    def claim(self) -> str:
        """Id of the claim in docs/guarantees.md."""
        return self.guarantee.claim

    @property
    def record(self) -> Dict[str, Any]:
        """The guarantee record: notion, epsilon, delta, noise law, assumptions, ..."""
        return self.guarantee.record
