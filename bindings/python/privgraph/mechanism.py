"""Privacy curves and calibrated noise, from public numbers only. Every result is rounded to
the sound side."""
import math
import numbers
from dataclasses import dataclass
from typing import Any, Callable, List, Tuple, Union

import numpy as np

from ._native import (Array, Immutable, call, callback, constant, ffi, lib, name_of, number,
                      optional_numbers, pointer, struct, taken)
from .errors import ArgumentError

__all__ = ["Curve", "CurveTerm", "PLD", "Target", "Mechanism", "gaussian_sigma", "contractive_mu",
           "contractive_shift", "solve", "solve_published", "epsilon_published", "smooth_choose",
           "noise_laws", "noise_deviation", "noise_is_pure", "allocation_names"]


@dataclass(frozen=True)
class CurveTerm:
    """One statement about privacy. Fields that its kind does not name are zero.

    Parameters
    ----------
    kind : str
        "pure", "approximate", "zcdp", "tcdp", "smooth", "gdp", "sampled" or "infinite".
    epsilon, delta : float
        Of "pure" and "approximate".
    rho, omega : float
        Of "zcdp" and "tcdp".
    mu : float
        Of "gdp".
    beta, dimension
        Of "smooth".
    rate, steps
        Of "sampled".

    Examples
    --------
    >>> import privgraph as pg
    >>> both = pg.Curve.of(pg.CurveTerm("pure", epsilon=1)) + pg.Curve.of(pg.CurveTerm("gdp", mu=0.5))
    >>> 1 < both.epsilon(1e-6) < 4
    True
    """

    kind: str
    epsilon: float = 0.0
    delta: float = 0.0
    rho: float = 0.0
    omega: float = 0.0
    mu: float = 0.0
    beta: float = 0.0
    dimension: int = 0
    rate: float = 0.0
    steps: int = 0

    def _struct(self) -> Any:
        return struct("pvg_curve_term", kind=constant("CURVE", self.kind, "kind"),
                      epsilon=self.epsilon, delta=self.delta, rho=self.rho, omega=self.omega,
                      mu=self.mu, beta=self.beta, dimension=self.dimension, rate=self.rate,
                      steps=self.steps)


class Curve(Immutable):
    """What is known about the privacy of something released: an epsilon for every delta.

    `first + second` is what holds for both together, `curve * n` for n times the same.

    Examples
    --------
    >>> import privgraph as pg
    >>> round((pg.Curve.pure(0.5) + pg.Curve.pure(1.0)).epsilon(0.0), 6)
    1.5
    """

    __slots__ = ()
    _type = "pvg_curve"

    @classmethod
    def of(cls, term: CurveTerm) -> "Curve":
        """The curve of one term."""
        return cls._make("pvg_curve_new", term._struct())

    @classmethod
    def pure(cls, epsilon: float) -> "Curve":
        """epsilon-DP."""
        return cls.of(CurveTerm("pure", epsilon=epsilon))

    @classmethod
    def approximate(cls, epsilon: float, delta: float) -> "Curve":
        """(epsilon, delta)-DP."""
        return cls.of(CurveTerm("approximate", epsilon=epsilon, delta=delta))

    @classmethod
    def gdp(cls, mu: float) -> "Curve":
        """Gaussian DP: as hard to tell as N(0, 1) from N(mu, 1)."""
        return cls.of(CurveTerm("gdp", mu=mu))

    @classmethod
    def zcdp(cls, rho: float) -> "Curve":
        """Concentrated DP."""
        return cls.of(CurveTerm("zcdp", rho=rho))

    def __add__(self, other: "Curve") -> "Curve":
        if not isinstance(other, Curve):
            return NotImplemented
        return self._make("pvg_curve_compose", self._pointer, other._pointer)

    def __mul__(self, times: int) -> "Curve":
        return self._make("pvg_curve_repeat", self._pointer, times)

    __rmul__ = __mul__

    def as_group(self, size: int) -> "Curve":
        """What holds for `size` such changes at once; infinite where nothing is proven."""
        return self._make("pvg_curve_group", self._pointer, size)

    def __len__(self) -> int:
        return int(lib.pvg_curve_count(self._pointer))

    @property
    def terms(self) -> List[CurveTerm]:
        """What the curve is made of."""
        found = []
        for index in range(len(self)):
            out = struct("pvg_curve_term")
            call("pvg_curve_copy_term", out, self._pointer, index)
            found.append(CurveTerm(name_of("CURVE", out.kind), out.epsilon, out.delta, out.rho,
                                   out.omega, out.mu, out.beta, out.dimension, out.rate,
                                   out.steps))
        return found

    def epsilon(self, delta: float) -> float:
        """An epsilon such that (epsilon, delta)-DP holds; infinite where nothing does."""
        return number("double", "pvg_curve_epsilon", self._pointer, delta)

    def delta(self, epsilon: float) -> float:
        """A delta such that (epsilon, delta)-DP holds."""
        return number("double", "pvg_curve_delta", self._pointer, epsilon)

    def renyi(self, alpha: float) -> float:
        """An upper bound of the Renyi divergence of order alpha."""
        return number("double", "pvg_curve_renyi", self._pointer, alpha)

    def __repr__(self) -> str:
        return f"<Curve epsilon {self.epsilon(1e-6):.4g} at delta 1e-06>"

    def __reduce__(self) -> Any:
        return _curve_again, (self.terms,)


def _curve_again(terms: List[CurveTerm]) -> Curve:
    made = Curve.of(terms[0])
    for term in terms[1:]:
        made = made + Curve.of(term)
    return made


class PLD(Immutable):
    """What a list of releases loses together, composed exactly: sizes may differ, and noise of
    a known law loses less than a worst case of the same epsilon.

    `first + second` is the list of both. The list, with all its numbers, must have been chosen
    before anything of it was released.

    Examples
    --------
    >>> import privgraph as pg
    >>> pg.PLD.laplace(0.1, times=100).epsilon(1e-6) < 100 * 0.1
    True
    """

    __slots__ = ()
    _type = "pvg_pld"

    @classmethod
    def _of(cls, kind: str, times: int, **fields: Any) -> "PLD":
        return cls._make("pvg_pld_new", struct("pvg_pld_part", kind=constant("PLD", kind, "kind"),
                                              times=times, **fields))

    @classmethod
    def pure(cls, epsilon: float, times: int = 1) -> "PLD":
        """Whatever is epsilon-DP."""
        return cls._of("pure", times, epsilon=epsilon)

    @classmethod
    def approximate(cls, epsilon: float, delta: float, times: int = 1) -> "PLD":
        """Whatever is (epsilon, delta)-DP."""
        return cls._of("approximate", times, epsilon=epsilon, delta=delta)

    @classmethod
    def gdp(cls, mu: float, times: int = 1) -> "PLD":
        """Whatever is mu-GDP: Gaussian noise."""
        return cls._of("gdp", times, mu=mu)

    @classmethod
    def laplace(cls, epsilon: float, times: int = 1) -> "PLD":
        """Real Laplace noise; epsilon: L1 change / scale."""
        return cls._of("laplace", times, epsilon=epsilon)

    @classmethod
    def discrete_laplace(cls, shift: int, scale: float, times: int = 1) -> "PLD":
        """Integer Laplace noise on what changes by `shift` in L1."""
        return cls._of("discrete-laplace", times, shift=shift, scale=scale)

    @classmethod
    def discrete_gaussian(cls, shift: int, scale: float, times: int = 1) -> "PLD":
        """Integer Gaussian noise on a number that changes by `shift`."""
        return cls._of("discrete-gaussian", times, shift=shift, scale=scale)

    @classmethod
    def sampled(cls, rate: float, mu: float, steps: int = 1) -> "PLD":
        """Gaussian steps of noise 1/mu that every record joins with probability `rate` (DP-SGD);
        neighbours have one record more or less."""
        return cls._of("sampled", steps, rate=rate, mu=mu)

    @classmethod
    def of_curve(cls, curve: "Curve") -> "PLD":
        """What a curve states, as a list that was fixed beforehand."""
        return cls._make("pvg_curve_pld", curve._pointer)

    def __add__(self, other: "PLD") -> "PLD":
        if not isinstance(other, PLD):
            return NotImplemented
        return self._make("pvg_pld_compose", self._pointer, other._pointer)

    def __len__(self) -> int:
        return int(lib.pvg_pld_count(self._pointer))

    def epsilon(self, delta: float) -> float:
        """An epsilon such that the whole list is (epsilon, delta)-DP."""
        return number("double", "pvg_pld_epsilon", self._pointer, delta, ffi.NULL)

    def delta(self, epsilon: float) -> float:
        """A delta such that the whole list is (epsilon, delta)-DP."""
        return number("double", "pvg_pld_delta", self._pointer, epsilon, ffi.NULL)

    def __repr__(self) -> str:
        return f"<PLD epsilon {self.epsilon(1e-6):.4g} at delta 1e-06>"


def epsilon_published(term: CurveTerm, delta: float) -> float:
    """epsilon by the conversion of the homomorphism-density paper, for comparison."""
    return number("double", "pvg_curve_epsilon_published", term._struct(), delta)


def solve(term: CurveTerm, epsilon: float, delta: float) -> float:
    """The largest parameter of a kind that meets (epsilon, delta); the wanted field is 0."""
    return number("double", "pvg_curve_solve", term._struct(), epsilon, delta)


def solve_published(term: CurveTerm, epsilon: float, delta: float) -> float:
    """The same with the published conversion, for comparison."""
    return number("double", "pvg_curve_solve_published", term._struct(), epsilon, delta)


def gaussian_sigma(epsilon: float, delta: float) -> float:
    """The smallest standard deviation of Gaussian noise per unit of L2 sensitivity that meets
    (epsilon, delta), exactly accounted."""
    return number("double", "pvg_gaussian_sigma", epsilon, delta)


def contractive_mu(gamma: Any, shifts: Any, scales: Any) -> float:
    """mu of the last state of a noisy iteration of which only that state is released. gamma:
    Lipschitz constant of all layers, or one for each."""
    shifts = taken(shifts, np.float64, "shifts")
    scales = taken(scales, np.float64, "scales", shifts.shape)
    if np.ndim(gamma) > 0:
        gammas = taken(gamma, np.float64, "gamma", shifts.shape)
        return number("double", "pvg_contractive_mu_layers", pointer(gammas), pointer(shifts),
                      pointer(scales), len(shifts))
    return number("double", "pvg_contractive_mu", gamma, pointer(shifts), pointer(scales),
                  len(shifts))


def contractive_shift(gammas: Any, shifts: Any) -> float:
    """How far the private change moves the last state if no noise is added on the way."""
    shifts = taken(shifts, np.float64, "shifts")
    gammas = taken(gammas, np.float64, "gammas", shifts.shape)
    return number("double", "pvg_contractive_shift", pointer(gammas), pointer(shifts), len(shifts))


@dataclass(frozen=True)
class Target:
    """A budget: epsilon with delta, or a native parameter alone.

    Parameters
    ----------
    epsilon, delta : float
        Must be positive and below 1; pure mechanisms have no delta.
    noise : str
        "gaussian" (the default for numbers), "laplace", "discrete-gaussian", "smooth" or "smooth-published"; leave it out
        for kinds that have one law only.
    allocation : str
        How noise is shared: "optimal", "isotropic" or "proportional".
    parameter, beta : float
        Instead of epsilon, the native parameter of a law (rho, mu); beta of smooth sensitivity.
    allow_seeded : bool
        Accept a seeded generator; nothing is private then.

    Examples
    --------
    >>> import privgraph as pg
    >>> pg.Query("embed", patterns="edge", target=pg.Target(epsilon=1, delta=1e-6)).notion
    'edge'
    """

    epsilon: float = 0.0
    delta: float = 0.0
    noise: Union[str, int] = "default"
    allocation: Union[str, int] = "optimal"
    parameter: float = 0.0
    beta: float = 0.0
    allow_seeded: bool = False

    def __post_init__(self) -> None:
        for name in ("epsilon", "delta", "parameter", "beta"):
            value = getattr(self, name)
            if isinstance(value, (bool, np.bool_)) or not isinstance(value, numbers.Real):
                raise ArgumentError(f"{name} is {value!r}, not a number")
            object.__setattr__(self, name, float(value))
        if not self.parameter and not 0.0 < self.epsilon < math.inf:
            raise ArgumentError(f"epsilon is {self.epsilon:g}; it must be a positive number")
        if not 0.0 <= self.delta < 1.0:
            raise ArgumentError(f"delta is {self.delta:g}; it must be in [0, 1)")

    def _struct(self) -> Any:
        return struct("pvg_target", noise=constant("NOISE", self.noise, "noise"),
                      allocation=constant("ALLOCATION", self.allocation, "allocation"),
                      allow_seeded=int(self.allow_seeded), epsilon=self.epsilon, delta=self.delta,
                      parameter=self.parameter, beta=self.beta)


def as_target(given: Any) -> Target:
    """A Target, or a number: the epsilon of one."""
    if isinstance(given, Target):
        return given
    return Target(given)


class Mechanism(Immutable):
    """Noise for a vector of numbers, calibrated to a budget. All inputs are public.

    Parameters
    ----------
    target : Target
        The budget.
    sensitivities : array
        How far one private change moves each coordinate at most.
    low, high : array, optional
        Its public range, 0 and 1 by default.
    weights : array, optional
        How much its squared error matters.

    Examples
    --------
    >>> import privgraph as pg
    >>> len(pg.Mechanism(pg.Target(1.0, 1e-6), [0.01, 0.02]).scale)
    2
    """

    __slots__ = ()
    _type = "pvg_mechanism"

    def __init__(self, target: Target, sensitivities: Any, low: Any = None, high: Any = None,
                 weights: Any = None) -> None:
        moved = taken(sensitivities, np.float64, "sensitivities")
        if moved.ndim != 1:
            raise ArgumentError("sensitivities must be a vector")
        given = [optional_numbers(values, len(moved), name)
                 for values, name in ((low, "low"), (high, "high"), (weights, "weights"))]
        self._take("pvg_mechanism_new", as_target(target)._struct(), pointer(moved),
                   *(where for _, where in given), len(moved))

    @classmethod
    def joint(cls, target: Target, dimension: int, *, l1: float = 0.0, l2: float = 0.0,
              low: float = 0.0, high: float = 0.0, grid: float = 0.0) -> "Mechanism":
        """For a vector whose private change is bounded as a whole: sum of |change| at most l1, root of
        the sum of squares at most l2 (0: not known). low, high: public range; not needed with a grid,
        a power of two that all values are multiples of."""
        return cls._make("pvg_mechanism_new_joint", as_target(target)._struct(),
                         struct("pvg_joint_config", dimension=dimension, l1=l1, l2=l2, low=low,
                                high=high, grid=grid))

    def __len__(self) -> int:
        return int(lib.pvg_mechanism_dimension(self._pointer))

    @property
    def noise(self) -> str:
        """The noise law."""
        return name_of("NOISE", lib.pvg_mechanism_noise(self._pointer))

    @property
    def allows_seeded(self) -> bool:
        """Whether seeded generators are accepted."""
        return bool(lib.pvg_mechanism_allows_seeded(self._pointer))

    @property
    def claim(self) -> str:
        """Id of the claim in docs/guarantees.md."""
        return str(ffi.string(lib.pvg_mechanism_claim(self._pointer)).decode())

    def curve(self) -> Curve:
        """What the mechanism really spends."""
        return Curve._make("pvg_mechanism_curve", self._pointer)

    def pld(self) -> PLD:
        """What it adds to a list of releases: its law, where that tells less than its curve."""
        return PLD._make("pvg_mechanism_pld", self._pointer)

    def epsilon(self, delta: float) -> float:
        """The epsilon of that curve."""
        return number("double", "pvg_mechanism_epsilon", self._pointer, delta)

    def _copy(self, name: str) -> Array:
        out = np.zeros(len(self))
        call(name, pointer(out), self._pointer)
        return out

    @property
    def grid(self) -> Array:
        """Grid step of each coordinate: a power of two."""
        return self._copy("pvg_mechanism_copy_grid")

    @property
    def scale(self) -> Array:
        """Noise scale of each coordinate. PrivacyError for smooth noise: it is private."""
        return self._copy("pvg_mechanism_copy_scale")


def noise_laws() -> List[str]:
    """The words for laws of noise."""
    found, law = [], 1
    while lib.pvg_noise_name(law) != ffi.NULL:
        found.append(ffi.string(lib.pvg_noise_name(law)).decode())
        law += 1
    return found


def noise_deviation(noise: Union[str, int], scale: float, sensitivity: float = 1.0) -> float:
    """Standard deviation of noise of that scale for that sensitivity."""
    return float(lib.pvg_noise_deviation(constant("NOISE", noise, "noise"), scale, sensitivity))


def noise_is_pure(noise: Union[str, int]) -> bool:
    """Whether a law spends epsilon alone, without delta."""
    return bool(lib.pvg_noise_curve(constant("NOISE", noise, "noise")) == lib.PVG_CURVE_PURE)


def allocation_names() -> List[str]:
    """The words for how noise is shared among coordinates."""
    found: List[str] = []
    while lib.pvg_allocation_name(len(found)) != ffi.NULL:
        found.append(ffi.string(lib.pvg_allocation_name(len(found))).decode())
    return found


@callback("int32_t(void *, double, double *)", error=-3)
def _reference(context: Any, beta: float, out: Any) -> int:
    value = float(ffi.from_handle(context)(beta))
    if not (value > 0 and math.isfinite(value)):
        raise ArgumentError(f"the reference gave {value}, which is not positive and finite")
    out[0] = value
    return 0


def smooth_choose(target: Target, dimension: int, reference: Callable[[float], float]
                  ) -> Tuple[float, float, float]:
    """(beta, rho, noise) with the least noise at a public reference, a smooth sensitivity as
    a function of beta."""
    beta, rho, noise = (ffi.new("double *") for _ in range(3))
    handle = ffi.new_handle(reference)
    call("pvg_smooth_choose", beta, rho, noise, as_target(target)._struct(), dimension, _reference, handle)
    return beta[0], rho[0], noise[0]
