"""Strips of paper woven over and under."""

import math

from studio import camera, empty_room, from_mesh, material, mottle, random, table, window

EXPOSURE = 0.4


def build():
    scene = empty_room()
    table(material("ground", "#2a2320", 0.9))
    papers = ["#e9e0d0", "#d8432b", "#efe7da", "#e8a33d", "#e3d8c6", "#6b2a4a", "#ece3d4"]
    made = [mottle(material(f"paper {c}", c, 0.75, specular=0.2), c, scale=300, bump=0.12) for c in papers]
    side, count = 0.03, 13
    for index in range(count):
        place = (index - count / 2 + 0.5) * side
        strip(place, side * 0.975, index % 2, made[int(random.integers(len(made)))], along="x", length=count * side)
        strip(place, side * 0.975, (index + 1) % 2, made[(index * 3) % len(made)], along="y", length=count * side)
    window((-0.8, 0.1, 0.42), (0, 0, 0), (0.5, 0.5), 13)
    window((0.7, -0.6, 0.8), (0, 0, 0), (0.7, 0.7), 1.6, (0.85, 0.92, 1))
    camera((0.11, -0.34, 0.3), (0.0, 0.012, 0), focal_mm=68, f_stop=3.2, focus=(0.012, -0.01, 0.004))
    return scene


def strip(place, width, phase, made, along, length):
    """A ribbon that rises over one neighbour and dips under the next."""
    side, height, steps = 0.03, 0.0034, 390
    vertices, faces = [], []
    for step in range(steps + 1):
        way = -length / 2 - side + (length + 2 * side) * step / steps
        swing = math.sin(math.pi * (way / side + phase + 0.0))
        z = height * math.copysign(abs(swing) ** 0.6, swing) + height
        for across in (-0.5, -0.46, 0.46, 0.5):
            at = place + across * width
            lip = -0.0002 if abs(across) == 0.5 else 0
            vertices.append((way, at, z + lip) if along == "x" else (at, way, z + lip))
    for step in range(steps):
        for lane in range(3):
            low = step * 4 + lane
            faces.append((low, low + 1, low + 5, low + 4))
    thing = from_mesh("strip", vertices, faces, made)
    thick = thing.modifiers.new("thickness", "SOLIDIFY")
    thick.thickness = 0.0005
    return thing
