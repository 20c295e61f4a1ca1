"""How surfaces reflect light: the laws of Fresnel and Snell, lobes of microfacets, and light as bytes of a screen."""

from __future__ import annotations

import math

import numpy as np

from cogkit.core.compiled import compiled
from cogkit.mewl.world.vectors import dot, minus, over, plus, times


@compiled
def fresnel(cosine, ratio):
    """Return the share of unpolarised light that a smooth boundary reflects.

    ``cosine`` belongs to the angle of incidence, 0 to 1. ``ratio`` is the index of refraction beyond the boundary over
    that before it. Total reflection gives 1.
    """
    squared = ratio * ratio - 1 + cosine * cosine
    if squared <= 0:
        return 1.0
    g = math.sqrt(squared)
    across, along = (cosine - g) / (cosine + g), (ratio * ratio * cosine - g) / (ratio * ratio * cosine + g)
    return (across * across + along * along) / 2


@compiled
def mirror(towards, normal):
    """Return the direction of a ray after a mirror."""
    return minus(towards, times(2 * dot(towards, normal), normal))


@compiled
def refract(towards, normal, ratio):
    """Return the unit direction of a ray beyond a boundary, by Snell's law; the normal faces the ray.

    The reflection must not be total: see `fresnel`.
    """
    cosine = -dot(towards, normal)
    turn = cosine / ratio - math.sqrt(max(0.0, 1 - (1 - cosine * cosine) / (ratio * ratio)))
    return plus(over(towards, ratio), times(turn, normal))


@compiled
def facets(cosine, along, alpha, beta):
    """Return the density of microfacets whose normals point in a direction (Burley 2012, eq. 13).

    This is the distribution of Trowbridge and Reitz, or GGX, with roughness ``alpha`` along a tangent and ``beta``
    across it. ``cosine`` and ``along`` are the direction's cosines to the normal and to the tangent. The density times
    ``cosine`` integrates to 1 over the hemisphere.
    """
    across = 1 - cosine * cosine - along * along
    denominator = along * along / (alpha * alpha) + across / (beta * beta) + cosine * cosine
    return 1 / (math.pi * alpha * beta * denominator * denominator)


@compiled
def unmasked(cosine, alpha):
    """Return the share of facets visible at an angle, with equal roughness in all directions (Walter 2007, eq. 34)."""
    squared = cosine * cosine
    return 2 / (1 + math.sqrt(1 + alpha * alpha * (1 - squared) / max(squared, 1e-12)))


@compiled
def lobe(into, out, cosine, along, alpha, beta):
    """Return the share of light from one direction that microfacets send into another one, per steradian.

    ``into`` and ``out`` are the cosines of the two directions to the normal. See `facets` for the direction halfway and
    the roughness. The facets are perfect mirrors. The result includes the cosine of the incoming light.
    """
    mean = math.sqrt(alpha * beta)  # masking differs little along and across
    return facets(cosine, along, alpha, beta) * unmasked(into, mean) * unmasked(out, mean) / (4 * max(out, 1e-3))


@compiled
def spot(x, half, blur):
    """Return the share of a normal distribution about ``x`` that lies between ``-half`` and ``half``."""
    scale = 1 / (blur * math.sqrt(2.0))
    return (math.erf((x + half) * scale) - math.erf((x - half) * scale)) / 2


@compiled
def ramp(x):
    """Return a smooth step from 0 at 0 to 1 at 1."""
    x = min(1.0, max(0.0, x))
    return x * x * (3 - 2 * x)


def encoded(light: np.ndarray) -> np.ndarray:
    """Return linear light (1 is white), clipped, as the bytes of an sRGB screen (IEC 61966-2-1).

    Examples
    --------
    >>> encoded(np.array([0.0, 0.0031308, 0.2140, 1.0, 7.0])).tolist()
    [0, 10, 127, 255, 255]
    """
    light = np.clip(light, 0, 1)
    values = np.where(light <= 0.0031308, 12.92 * light, 1.055 * np.power(light, 1 / 2.4) - 0.055)
    return (values * 255 + 0.5).astype(np.uint8)
