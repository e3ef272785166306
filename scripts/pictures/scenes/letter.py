"""A page of print with a pencil on it and a reading glass: small letters, sharp edges, soft shadows."""

import math

import bpy
from studio import camera, empty_room, from_mesh, lathe, material, mottle, table, tube, window

EXPOSURE = 0.35
WORDS = """The tintype was never on tin. A thin sheet
of iron was coated with dark lacquer, washed
with collodion and silver, and put in the
camera while it was wet. A minute later the
picture stood in the bath; five minutes later
it was dry, varnished and paid for.

Nothing was printed and nothing was copied.
The plate that had stood in the light was the
picture itself, and there was one of it. Fairs
had tents for it; soldiers sent it home in a
letter, for it would not break.

It reads the wrong way round, as a mirror
does: buttons on the other side, a ring on
the other hand. Most sitters never noticed.
That was how they knew themselves."""


def build():
    scene = empty_room()
    table(mottle(material("desk", "#54382a", 0.45), "#3d271d", scale=9, amount=0.8, bump=0.05))
    paper = mottle(material("paper", "#f0eadf", 0.9, specular=0.1), "#e9e1d3", scale=40, amount=0.8, bump=0.02)
    ink = material("ink", "#17130f", 0.8, specular=0.1)
    face = bpy.data.fonts.load("/usr/share/fonts/truetype/liberation/LiberationSerif-Regular.ttf")
    sheet(paper, 0.24, 0.3, (0.012, 0.02, 0.0006), -0.06)
    words(WORDS, face, ink, 0.0098, (-0.092, 0.075, 0.00064), -0.06)
    words("ONE OF A KIND", face, ink, 0.0125, (-0.0885, 0.1, 0.00064), -0.06)

    cedar, lead, paint = material("cedar", "#b98a58", 0.7), material("lead", "#2b2828", 0.5), material("paint", "#d8432b", 0.3)
    a, b = (0.078, -0.052, 0.0046), (0.128, 0.118, 0.0046)
    tube("pencil", [a, b], 0.0036, paint)
    tip = tuple(a[i] + (a[i] - b[i]) * 0.085 for i in range(3))
    cone("wood", a, tip, 0.0036, 0.0007, cedar)
    cone("lead", tip, tuple(a[i] + (a[i] - b[i]) * 0.1 for i in range(3)), 0.0007, 0.0001, lead)

    window((-0.7, 0.35, 0.55), (0, 0, 0), (0.4, 0.4), 9)
    window((0.7, -0.6, 0.8), (0, 0, 0), (0.8, 0.8), 2.0, (0.86, 0.92, 1))
    camera((0.02, -0.34, 0.36), (0.018, 0.022, 0), focal_mm=64, f_stop=8, focus=(0.0, 0.02, 0))
    return scene


def sheet(made, width, depth, at, turn):
    cells, vertices = 24, []
    for r in range(cells + 1):
        for c in range(cells + 1):
            x, y = (c / cells - 0.5) * width, (r / cells - 0.5) * depth
            curl = 0.3 * max(0, x / width + y / depth - 0.76) ** 2  # past the words, which lie flat
            vertices.append((x, y, curl))
    faces = [(r * (cells + 1) + c, r * (cells + 1) + c + 1, (r + 1) * (cells + 1) + c + 1, (r + 1) * (cells + 1) + c) for r in range(cells) for c in range(cells)]
    thing = from_mesh("page", vertices, faces, made, subdivide=1)
    thing.location, thing.rotation_euler = at, (0, 0, turn)
    thing.modifiers.new("thickness", "SOLIDIFY").thickness = 0.0003
    return thing


def words(text, face, ink, size, at, turn):
    curve = bpy.data.curves.new("words", "FONT")
    curve.body, curve.font, curve.size, curve.space_line = text, face, size, 1.12
    curve.extrude = 0.00002
    thing = bpy.data.objects.new("words", curve)
    thing.location, thing.rotation_euler = at, (0, 0, turn)
    thing.data.materials.append(ink)
    bpy.context.collection.objects.link(thing)


def cone(name, a, b, radius_a, radius_b, made):
    length = math.dist(a, b)
    bpy.ops.mesh.primitive_cone_add(vertices=32, radius1=radius_a, radius2=radius_b, depth=length, location=[(p + q) / 2 for p, q in zip(a, b)])
    thing = bpy.context.object
    from mathutils import Vector

    thing.rotation_euler = (Vector(b) - Vector(a)).to_track_quat("Z", "Y").to_euler()
    thing.data.materials.append(made)
    bpy.ops.object.shade_smooth()
