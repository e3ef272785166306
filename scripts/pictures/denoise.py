"""Takes the noise out of a rendered picture, guided by what the renderer knows of it without noise."""

import numpy


def denoise(light, albedo, normal, radius=6, strength=0.35):
    """
    Non-local means on the light alone: the picture is divided by the surfaces' own colour first, so that texture is
    not noise, and multiplied by it again. Neighbours count by how alike their 3 x 3 surroundings, their surface's
    direction and their colour are. (Buades et al. 2005; the guides as in Rousselle et al. 2013.)

    All three are float arrays [height, width, 3], linear.
    """
    own = numpy.maximum(albedo, 0.04)
    irradiance = light / own
    shown = numpy.log1p(irradiance)  # differences as the eye weighs them
    total = numpy.zeros_like(irradiance)
    weights = numpy.zeros(irradiance.shape[:2] + (1,), dtype=irradiance.dtype)
    for dy in range(-radius, radius + 1):
        for dx in range(-radius, radius + 1):
            unlike = _patch_mean(((shown - _shift(shown, dx, dy)) ** 2).mean(axis=2))
            turned = ((normal - _shift(normal, dx, dy)) ** 2).sum(axis=2)
            other = ((albedo - _shift(albedo, dx, dy)) ** 2).sum(axis=2)
            weight = numpy.exp(
                -unlike / (2 * (0.1 * strength) ** 2)
                - turned / (2 * 0.15**2)
                - other / (2 * 0.1**2)
                - (dx * dx + dy * dy) / (2 * (radius / 1.6) ** 2)
            )[..., None]
            total += weight * _shift(irradiance, dx, dy)
            weights += weight
    return total / weights * own


def _shift(plane, dx, dy):
    return numpy.roll(plane, (dy, dx), axis=(0, 1))


def _patch_mean(plane):
    return sum(_shift(plane, dx, dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1)) / 9
