"""Pears, a plum and a glazed cup on linen, by a window."""

import math

from studio import camera, cloth, empty_room, lathe, material, mottle, rest, table, tube, weave, window

PEAR = [
    (0.0, 0.004), (0.012, 0.0), (0.026, 0.006), (0.036, 0.02), (0.039, 0.036), (0.036, 0.052),
    (0.028, 0.068), (0.02, 0.08), (0.0165, 0.09), (0.0145, 0.099), (0.009, 0.106), (0.003, 0.1045), (0.0, 0.103),
]
CUP = [
    (0.0, 0.004), (0.022, 0.004), (0.026, 0.0), (0.03, 0.002), (0.034, 0.012), (0.0405, 0.03), (0.043, 0.055),
    (0.043, 0.078), (0.0415, 0.08), (0.0395, 0.078), (0.0395, 0.055), (0.037, 0.032), (0.03, 0.014), (0.0, 0.012),
]
PLUM = [
    (0.0, 0.0), (0.009, 0.001), (0.02, 0.008), (0.0255, 0.022), (0.023, 0.037), (0.012, 0.046), (0.004, 0.0445),
    (0.0, 0.043),
]
DISH = [
    (0.0, 0.004), (0.05, 0.003), (0.06, 0.0), (0.064, 0.003), (0.09, 0.014), (0.104, 0.0215), (0.105, 0.0235),
    (0.103, 0.0245), (0.088, 0.0175), (0.06, 0.0075), (0.0, 0.0075),
]


EXPOSURE = 0.35


def build():
    scene = empty_room()
    table(mottle(material("wall", "#5d564f", 0.9), "#4a443f", scale=3, amount=0.7))
    linen = weave(material("linen", "#d9cfbd", 0.85, sheen=0.4), threads=900, strength=0.6)

    def folds(x, y):
        ridge = 0.012 * math.exp(-(((x * 0.8 + y * 0.6 + 0.09) / 0.022) ** 2))
        second = 0.009 * math.exp(-(((x * 0.95 - y * 0.3 - 0.14) / 0.02) ** 2)) * max(0, 1 - abs(y + 0.05) * 3)
        calm = 0.0012 * math.sin(31 * x + 17 * y) + 0.0009 * math.sin(53 * y - 22 * x)
        return 0.004 + ridge + second + calm

    cloth("linen", linen, 0.95, 0.66, (0.0, 0.02, 0), folds, cells=220)

    skin = mottle(material("pear", "#b9a32f", 0.38, specular=0.4), "#8a9b32", scale=26, amount=0.5, bump=0.12)
    blush = mottle(material("ripe pear", "#c07d2c", 0.36, specular=0.4), "#b4a53a", scale=14, amount=0.6, bump=0.12)
    stem = material("stem", "#3b2616", 0.8)

    def uneven(seed):
        return lambda angle, height: (
            1 + 0.035 * math.sin(angle * 2 + seed) + 0.02 * math.sin(3 * angle + seed * 2 + height * 40)
        )

    def on_linen(thing, sink=0.0008):
        x, y, _ = thing.location
        return rest(thing, folds(x, y - 0.02), sink)

    def pear(made, place, turn, size=1.0, seed=0.0):
        fruit = lathe("pear", PEAR, made, (*place, 0.1), wobble=uneven(seed))
        fruit.rotation_euler, fruit.scale = turn, (size, size, size)
        on_linen(fruit)
        bend = [(0, 0, 0.1), (0.001, 0, 0.11), (0.004, 0.001, 0.118), (0.009, 0.002, 0.124)]
        twig = tube("stem", bend, 0.0014, stem, fruit.location)
        twig.rotation_euler, twig.scale = turn, (size, size, size)

    pear(skin, (-0.02, 0.052), (0.05, -0.04, 0.3))
    pear(blush, (0.07, 0.046), (-0.06, 0.1, 1.9), 0.94, 1.7)
    pear(skin, (-0.062, -0.03), (0.1, math.radians(-80), math.radians(212)), 1.0, 4.1)

    glaze = mottle(material("glaze", "#2c4a52", 0.12, specular=0.6, clearcoat=0.6), "#7da0a0", scale=9, amount=0.35, bump=0.04)
    cup = on_linen(lathe("cup", CUP, glaze, (0.148, 0.0, 0.006), segments=64))
    ear = [(-0.004, 0, 0.066), (0.017, 0, 0.068), (0.029, 0, 0.058), (0.027, 0, 0.036), (0.014, 0, 0.024), (-0.01, 0, 0.022)]
    x, y, z = cup.location
    tube("handle", ear, 0.0045, glaze, (x + 0.04, y - 0.006, z)).rotation_euler = (0, 0, -0.5)

    bloom = mottle(material("plum", "#3a1530", 0.42, specular=0.35, sheen=0.8), "#6a4468", scale=20, amount=0.6)
    for place, turn in [((0.04, -0.062), 0.3), ((0.092, -0.058), 2.0)]:
        plum = lathe("plum", PLUM, bloom, (*place, 0.05), wobble=lambda angle, _: 1 - 0.05 * math.exp(-((angle - math.pi) ** 2) * 18))
        plum.rotation_euler = (0.16, 0.1, turn)
        on_linen(plum)

    window((-1.1, -0.35, 0.95), (0.03, 0.02, 0.03), (0.7, 0.95), 34)
    window((1.3, -0.9, 0.7), (0.05, 0, 0.05), (0.8, 0.8), 2.4, (0.85, 0.92, 1))
    window((0.2, 1.0, 1.25), (0.03, 0.1, 0), (1.3, 0.8), 1.8, (1, 0.86, 0.7))
    camera((0.05, -0.78, 0.24), (0.062, 0.0, 0.046), focal_mm=80, f_stop=7, focus=(0.0, -0.015, 0.05))
    return scene
