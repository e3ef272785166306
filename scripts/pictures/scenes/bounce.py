"""One ball, seen nine times on its way: a moving picture laid side by side."""

import math

from studio import ball, camera, empty_room, material, mottle, table, window

EXPOSURE = 0.4
TOPS = (0.12, 0.078, 0.05)
WIDTHS = tuple((top / TOPS[0]) ** 0.5 for top in TOPS)


def build():
    scene = empty_room()
    table(mottle(material("floor", "#cfc5b6", 0.5), "#c2b7a7", scale=4, amount=0.8))
    start, end, radius = -0.2, 0.2, 0.0185
    count = 14
    for index in range(count):
        share = index / (count - 1)
        x = start + (end - start) * share
        # Each arc is as wide as the time it takes: the root of its height.
        along, arc = share * 2.44, 0
        while along > WIDTHS[arc]:
            along -= WIDTHS[arc]
            arc += 1
        height = radius + TOPS[arc] * (1 - (2 * along / WIDTHS[arc] - 1) ** 2)
        tint = mix((0.91, 0.64, 0.24), (0.847, 0.262, 0.169), min(1, share * 2)) if share < 0.5 else mix((0.847, 0.262, 0.169), (0.42, 0.165, 0.29), share * 2 - 1)
        made = material("ball", tuple(c**2.2 for c in tint), 0.28, specular=0.5, clearcoat=0.4)
        ball("ball", radius, made, (x, 0.04 * math.sin(share * 2.4) - 0.01, height))
    window((-0.45, 0.1, 1.0), (0, 0, 0.03), (0.22, 0.22), 19)
    window((1.1, -0.6, 0.6), (0, 0, 0.04), (0.6, 0.8), 2.4, (0.86, 0.92, 1))
    window((0.1, 1.0, 0.9), (0, 0.2, 0.0), (1.0, 0.3), 3, (1, 0.9, 0.78))
    camera((0.03, -0.74, 0.23), (0.0, 0.0, 0.062), focal_mm=54, f_stop=8)
    return scene


def mix(a, b, share):
    return tuple(x + (y - x) * share for x, y in zip(a, b))
