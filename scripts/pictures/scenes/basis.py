"""An eight by eight field of blocks, as high as one of the 64 waves a JPEG is made of (T.81, A.3.3)."""

import math

from studio import box, camera, empty_room, material, mottle, table, window

EXPOSURE = 0.45
ACROSS, DOWN = 2, 1


def build():
    scene = empty_room()
    table(mottle(material("table", "#d9d1c4", 0.85), "#cdc4b5", scale=5))
    side = 0.03
    low, high = (0.165, 0.12, 0.105), (0.86, 0.80, 0.70)
    for row in range(8):
        for column in range(8):
            wave = math.cos((2 * column + 1) * ACROSS * math.pi / 16) * math.cos((2 * row + 1) * DOWN * math.pi / 16)
            height = 0.012 + 0.034 * (wave + 1) / 2
            share = (wave + 1) / 2
            tint = tuple(l + (h - l) * share**1.4 for l, h in zip(low, high))
            clay = mottle(material("clay", tint, 0.6), "#8b7f70", scale=160, amount=2.4, bump=0.1)
            if (row, column) == (2, 5):
                clay = material("accent", "#d8432b", 0.5)
            place = ((column - 3.5) * side, (row - 3.5) * side, height / 2)
            box("block", (side * 0.955, side * 0.955, height), clay, place, bevel=0.0014)
    window((-0.8, 0.25, 0.5), (0, 0, 0), (0.45, 0.45), 13)
    window((0.9, -0.7, 0.8), (0, 0, 0), (0.8, 0.8), 2.0, (0.86, 0.92, 1))
    camera((0.2, -0.44, 0.36), (0.004, -0.004, 0.012), focal_mm=74, f_stop=5, focus=(0.02, -0.05, 0.03))
    return scene
