"""A tumbler and a bottle on a checked board: what is behind clear glass can be seen, which is what alpha is for."""

import bpy
from studio import box, camera, empty_room, lathe, material, rest, table, window

TUMBLER = [
    (0.0, 0.0), (0.026, 0.0), (0.029, 0.002), (0.031, 0.02), (0.034, 0.06), (0.0365, 0.094), (0.036, 0.0955), (0.035, 0.094),
    (0.0325, 0.06), (0.0295, 0.022), (0.027, 0.013), (0.0, 0.0115),
]
BOTTLE = [
    (0.0, 0.006), (0.02, 0.004), (0.029, 0.0), (0.034, 0.003), (0.0355, 0.012), (0.0355, 0.07), (0.034, 0.09), (0.024, 0.108),
    (0.0145, 0.12), (0.0125, 0.135), (0.0125, 0.15), (0.016, 0.152), (0.016, 0.16), (0.0125, 0.161), (0.0095, 0.158),
    (0.0095, 0.134), (0.012, 0.12), (0.021, 0.106), (0.0305, 0.09), (0.0325, 0.07), (0.0325, 0.014), (0.02, 0.01), (0.0, 0.0105),
]
EXPOSURE = 0.5


def build():
    scene = empty_room((0.02, 0.019, 0.018))
    table(material("wall", "#6d5a50", 0.95), at=(0, 0, -0.011))
    ivory, slate = material("ivory", "#e9e2d4", 0.35), material("slate", "#4c4743", 0.35)
    side, count = 0.034, 11
    for row in range(count):
        for column in range(count):
            place = ((column - count / 2 + 0.5) * side, (row - count / 2 + 0.5) * side + 0.03, -0.005)
            made = ivory if (row + column) % 2 else slate
            box("square", (side * 0.985, side * 0.985, 0.01), made, place, bevel=0.0008)

    clear = glass("clear glass", (0.98, 0.99, 0.985))
    amber = glass("amber glass", (0.97, 0.74, 0.36))
    rest(lathe("tumbler", TUMBLER, clear, (0.055, -0.03, 0.0), segments=64), 0, 0)
    rest(lathe("bottle", BOTTLE, amber, (-0.045, 0.045, 0.0), segments=64), 0, 0)
    stone = material("stone", "#d8432b", 0.3)
    rest(lathe("stopper", [(0.0, 0.0), (0.009, 0.0), (0.011, 0.012), (0.018, 0.02), (0.02, 0.03), (0.014, 0.04), (0.0, 0.043)], stone, (-0.005, -0.085, 0)), 0)

    window((-0.9, 0.35, 0.8), (0, 0, 0.03), (0.8, 0.6), 26)
    window((1.2, 0.3, 0.6), (0.05, 0, 0.05), (0.3, 1.0), 9, (0.9, 0.95, 1))
    window((0.0, 1.05, 0.6), (0, 0, 0.08), (0.7, 0.35), 6, (1, 0.88, 0.74))
    camera((0.02, -0.62, 0.27), (0.004, 0.004, 0.05), focal_mm=66, f_stop=9)
    scene.cycles.caustics_refractive = False
    return scene


def glass(name, tint):
    """Glass that lets light through in a straight line for shadows, so that they are not black."""
    made = bpy.data.materials.new(name)
    made.use_nodes = True
    tree = made.node_tree
    tree.nodes.clear()
    out = tree.nodes.new("ShaderNodeOutputMaterial")
    body = tree.nodes.new("ShaderNodeBsdfGlass")
    body.inputs["Color"].default_value = (*tint, 1)
    body.inputs["IOR"].default_value = 1.46
    body.inputs["Roughness"].default_value = 0.0
    through = tree.nodes.new("ShaderNodeBsdfTransparent")
    through.inputs["Color"].default_value = (*tint, 1)
    path = tree.nodes.new("ShaderNodeLightPath")
    mix = tree.nodes.new("ShaderNodeMixShader")
    tree.links.new(path.outputs["Is Shadow Ray"], mix.inputs[0])
    tree.links.new(body.outputs[0], mix.inputs[1])
    tree.links.new(through.outputs[0], mix.inputs[2])
    tree.links.new(mix.outputs[0], out.inputs["Surface"])
    return made
