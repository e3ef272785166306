"""A darkroom: plates hung to dry over a tray, under the safelight."""

import math

import bpy
from studio import box, camera, cloth, empty_room, lathe, material, mottle, table, tube, window

RATIO = (4, 5)
EXPOSURE = 0.75
LAMP = [(0.0, 0.0), (0.02, 0.002), (0.034, 0.014), (0.038, 0.03), (0.034, 0.046), (0.022, 0.058), (0.0, 0.062)]
CAP = [(0.0, 0.06), (0.02, 0.057), (0.022, 0.062), (0.02, 0.075), (0.008, 0.08), (0.0, 0.081)]
BOTTLE = [
    (0.0, 0.0), (0.03, 0.0), (0.034, 0.003), (0.035, 0.01), (0.035, 0.08), (0.032, 0.094), (0.016, 0.108), (0.0125, 0.116),
    (0.0125, 0.132), (0.015, 0.134), (0.015, 0.142), (0.0, 0.142),
]


def build():
    scene = empty_room((0.004, 0.0035, 0.0035))
    table(mottle(material("bench", "#5d463b", 0.6), "#463429", scale=6, amount=0.8))
    glow = bpy.data.materials.new("safelight")
    glow.use_nodes = True
    shader = glow.node_tree.nodes["Principled BSDF"]
    shader.inputs["Emission"].default_value = (1.0, 0.05, 0.012, 1)
    shader.inputs["Emission Strength"].default_value = 1.5
    iron = material("iron", "#17120f", 0.45, metallic=0.6)
    lathe("lamp", LAMP, glow, (-0.115, 0.1, 0.262))
    lathe("cap", CAP, iron, (-0.115, 0.1, 0.262))
    tube("cord", [(-0.115, 0.1, 0.34), (-0.115, 0.1, 0.42), (-0.112, 0.1, 0.6)], 0.0022, iron)

    tube("line", [(-0.4, 0.045, 0.262), (-0.1, 0.045, 0.2445), (0.1, 0.045, 0.2445), (0.4, 0.045, 0.262)], 0.001, material("string", "#8c7f70", 0.9))
    wood = material("clip", "#9a7a50", 0.7)
    pictures = (still_life(), sitter(), leaf())
    for index, (x, turn) in enumerate(((-0.052, 0.08), (0.052, -0.06), (0.152, 0.1))):
        plate(x, turn, pictures[index])
        box("clip", (0.007, 0.006, 0.026), wood, (x, 0.045, 0.243), (0, 0, turn), bevel=0.001)

    enamel = material("enamel", "#c9c2b6", 0.2, clearcoat=0.5)
    for size, at in (((0.2, 0.006, 0.022), (0.035, -0.075, 0.011)), ((0.2, 0.006, 0.022), (0.035, 0.055, 0.011)), ((0.006, 0.136, 0.022), (-0.065, -0.01, 0.011)), ((0.006, 0.136, 0.022), (0.135, -0.01, 0.011)), ((0.2, 0.13, 0.003), (0.035, -0.01, 0.0025))):
        box("tray", size, enamel, at, bevel=0.0022)
    water = material("bath", "#2a1a14", 0.04, specular=0.8)
    box("bath", (0.19, 0.122, 0.002), water, (0.035, -0.01, 0.0135), bevel=0)
    lathe("bottle", BOTTLE, material("brown glass", "#3b1c0e", 0.06, specular=0.8), (-0.125, 0.02, 0), segments=48)
    lathe("stopper", [(0.0, 0.142), (0.011, 0.142), (0.013, 0.152), (0.0, 0.153)], material("cork", "#7d5c3c", 0.9), (-0.125, 0.02, 0))

    window((-0.115, -0.1, 0.3), (0.02, 0.02, 0.1), (0.06, 0.06), 0.9, (1, 0.24, 0.1))
    window((0.6, -0.6, 0.75), (0.03, 0.0, 0.12), (0.5, 0.5), 8, (1, 0.62, 0.46))
    window((-0.8, -0.4, 0.5), (0.0, 0.05, 0.12), (0.3, 0.6), 3.5, (1, 0.36, 0.2))
    window((0.1, 1.0, 0.5), (0.05, 0.3, 0.2), (0.6, 0.3), 1.4, (1, 0.3, 0.14))
    camera((0.03, -0.78, 0.2), (0.022, 0.0, 0.138), focal_mm=62, f_stop=6, focus=(0.05, 0.04, 0.2))
    return scene


def plate(x, turn, picture):
    """A thin dark plate with a picture on it, hung by its edge."""
    width, height = 0.07, 0.0925
    box("plate", (width, 0.0012, height), material("japanned iron", "#0d0a09", 0.22, clearcoat=0.6), (x, 0.045, 0.187), (0, 0, turn), bevel=0.0004)
    bpy.ops.mesh.primitive_plane_add(size=1, location=(x - math.sin(-turn) * 0.0008, 0.045 - 0.0008, 0.187), rotation=(math.pi / 2, 0, turn))
    face = bpy.context.object
    face.scale = (width * 0.88, height * 0.88, 1)
    face.data.materials.append(picture)


def drawn(name, build_shape):
    """A picture drawn by distances, in the greys of silver on black."""
    made = bpy.data.materials.new(name)
    made.use_nodes = True
    size = (176, 232)
    image = bpy.data.images.new(name, *size)
    import numpy

    ys, xs = numpy.mgrid[0 : size[1], 0 : size[0]]
    x, y = (xs / size[0] - 0.5) * 2, (ys / size[1] - 0.5) * 2
    grey = numpy.clip(build_shape(x, y), 0, 1) * numpy.clip(1.25 - 0.75 * (x * x + y * y) ** 0.9, 0, 1)
    grain = numpy.random.default_rng(7).normal(0, 0.02, grey.shape)
    tone = numpy.clip(grey + grain, 0, 1)[..., None] * numpy.array([0.74, 0.68, 0.6])
    image.pixels.foreach_set(numpy.concatenate([tone, numpy.ones_like(tone[..., :1])], axis=2).astype(numpy.float32).ravel())
    texture = made.node_tree.nodes.new("ShaderNodeTexImage")
    texture.image = image
    shader = made.node_tree.nodes["Principled BSDF"]
    made.node_tree.links.new(texture.outputs["Color"], shader.inputs["Base Color"])
    shader.inputs["Roughness"].default_value = 0.25
    shader.inputs["Clearcoat"].default_value = 0.6
    return made


def still_life():
    import numpy

    def shape(x, y):
        def orb(cx, cy, r):
            d = numpy.hypot(x - cx, (y - cy) * 1.3) / r
            return numpy.where(d < 1, 0.25 + 0.75 * numpy.clip(1 - numpy.hypot(x - cx + r * 0.35, (y - cy) * 1.3 - r * 0.35) / (1.5 * r), 0, 1), 0)

        ground = numpy.where(y < -0.35, 0.42 + 0.1 * x, 0.14)
        pear = numpy.maximum(orb(-0.15, -0.3, 0.42), orb(-0.13, 0.12, 0.24))
        return numpy.maximum(numpy.maximum(pear, orb(0.42, -0.4, 0.27)), ground * (pear == 0))

    return drawn("plate with fruit", shape)


def sitter():
    import numpy

    def shape(x, y):
        head = numpy.hypot(x / 0.3, (y - 0.2) / 0.38)
        shoulders = numpy.hypot(x / 0.8, (y + 1.05) / 0.85)
        hair = numpy.hypot(x / 0.38, (y - 0.33) / 0.38)
        light = 0.5 - 0.45 * x
        tone = numpy.full_like(x, 0.4)
        tone = numpy.where(shoulders < 1, 0.06 + 0.12 * light, tone)
        tone = numpy.where((numpy.abs(x) < 0.15) & (y < -0.05) & (y > -0.36), 0.3 + 0.4 * light, tone)
        tone = numpy.where((numpy.abs(x) < 0.2 + 0.5 * (y + 0.3)) & (y < -0.2) & (y > -0.68), 0.8, tone)
        tone = numpy.where((hair < 1) & (y > 0.05), 0.05, tone)
        return numpy.where((head < 1) & (y < 0.42 + 0.15 * x), 0.3 + 0.9 * light * (1 - head**3 * 0.6), tone)

    return drawn("plate with a sitter", shape)


def leaf():
    import numpy

    def shape(x, y):
        u, v = x * 0.86 + y * 0.5, y * 0.86 - x * 0.5
        edge = numpy.abs(u) / (0.42 * numpy.clip(1 - (v / 0.92) ** 2, 0.001, 1))
        veins = 0.5 + 0.5 * numpy.cos((v - numpy.abs(u) * 0.9) * 38)
        return numpy.where((edge < 1) & (numpy.abs(v) < 0.92), 0.4 + 0.35 * (1 - edge) + 0.14 * veins + 0.2 * (numpy.abs(u) < 0.018), 0.12)

    return drawn("plate with a leaf", shape)
