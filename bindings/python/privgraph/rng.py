"""Random generators and exact integer noise."""
import operator
from typing import Any, Optional, Union

import numpy as np

from ._native import Array, Handle, call, lib, number, pointer

__all__ = ["Rng", "flip_threshold"]


class Rng(Handle):
    """A source of random bits.

    `Rng.secure()` takes a fresh key from the operating system in every call. `Rng.seeded(n)` is
    reproducible, for tests and for public objects such as patterns: noise drawn from it
    protects nobody, and a release made with it says so.

    Examples
    --------
    >>> import privgraph as pg
    >>> pg.Rng.secure().is_secure, pg.Rng.seeded(1).is_secure
    (True, False)
    """

    __slots__ = ()
    _type = "pvg_rng"

    @classmethod
    def secure(cls) -> "Rng":
        """A new secure generator."""
        return cls._make("pvg_rng_new_secure")

    @classmethod
    def seeded(cls, seed: int) -> "Rng":
        """A new reproducible generator; the seed is a number of 64 bits."""
        return cls._make("pvg_rng_new_seeded", operator.index(seed) & 0xFFFFFFFFFFFFFFFF)

    def split(self, stream: int) -> "Rng":
        """The generator of stream number `stream`; this one is not changed."""
        return self._make("pvg_rng_split", self._pointer, stream)

    @property
    def is_secure(self) -> bool:
        """Whether noise drawn from this generator protects anybody."""
        return bool(lib.pvg_rng_is_secure(self._pointer))

    def __repr__(self) -> str:
        return "Rng.secure()" if self.is_secure else "<Rng seeded: not private>"

    def _draw(self, name: str, dtype: Any, count: int, *arguments: Any) -> Array:
        out = np.zeros(count, dtype)
        call("pvg_rng_draw_" + name, pointer(out), count, *arguments, self._pointer)
        return out

    def bytes(self, count: int) -> bytes:
        """Random bytes."""
        return self._draw("bytes", np.uint8, count).tobytes()

    def below(self, bound: int, count: int) -> Array:
        """Uniform on 0, ..., bound - 1."""
        return self._draw("below", np.uint64, count, bound)

    def bernoulli(self, numerator: int, denominator: int, count: int) -> Array:
        """1 with probability numerator / denominator, else 0."""
        return self._draw("bernoulli", np.uint8, count, numerator, denominator)

    def bernoulli_exp(self, numerator: int, denominator: int, count: int) -> Array:
        """1 with probability exp(-numerator / denominator), else 0."""
        return self._draw("bernoulli_exp", np.uint8, count, numerator, denominator)

    def geometric(self, scale: int, count: int, denominator: int = 1) -> Array:
        """P(X >= k) = exp(-k denominator / scale)."""
        return self._draw("geometric", np.int64, count, scale, denominator)

    def discrete_laplace(self, scale: int, count: int, denominator: int = 1) -> Array:
        """P(X = k) proportional to exp(-|k| denominator / scale)."""
        return self._draw("discrete_laplace", np.int64, count, scale, denominator)

    def discrete_gaussian(self, sigma: int, count: int) -> Array:
        """P(X = k) proportional to exp(-k^2 / (2 sigma^2))."""
        return self._draw("discrete_gaussian", np.int64, count, sigma)

    def rounded_gaussian(self, sigma: int, count: int) -> Array:
        """The integer nearest to a real Gaussian of standard deviation sigma."""
        return self._draw("rounded_gaussian", np.int64, count, sigma)

    def rounded_laplace(self, scale: int, count: int) -> Array:
        """The integer nearest to a real Laplace variable."""
        return self._draw("rounded_laplace", np.int64, count, scale)

    def flips(self, threshold: int, count: int) -> Array:
        """Bits, each 1 with probability threshold / 2^64 exactly, as an array of 0 and 1."""
        words = np.zeros((count + 63) // 64, np.uint64)
        call("pvg_rng_draw_flips", pointer(words), count, threshold, self._pointer)
        bits = np.unpackbits(words.astype("<u8").view(np.uint8), bitorder="little")
        return bits[:count]


def flip_threshold(epsilon: float) -> int:
    """Flip probability of randomised response as a multiple of 2^-64, rounded up."""
    return number("uint64_t", "pvg_rng_flip_threshold", epsilon)


def noise_source(rng: Optional[Union[Rng, int]]) -> Rng:
    """None: a secure generator. Numbers are refused: a seed must be asked for by name."""
    if rng is None:
        return Rng.secure()
    if not isinstance(rng, Rng):
        raise TypeError("rng must be None or an Rng; noise from Rng.seeded(...) is not private")
    return rng


def public_source(seed: Union[Rng, int]) -> Rng:
    """For public objects a seed is fine."""
    return seed if isinstance(seed, Rng) else Rng.seeded(seed)
