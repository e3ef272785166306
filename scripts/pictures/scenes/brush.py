"""A shaving brush before a cup: hair against a soft ground, to be cut out."""

import bpy
from studio import camera, empty_room, from_mesh, lathe, material, mottle, rest, table, window

EXPOSURE = 0.45
HANDLE = [
    (0.0, 0.0), (0.017, 0.0), (0.0185, 0.002), (0.0175, 0.006), (0.0125, 0.016), (0.0105, 0.024), (0.0125, 0.032), (0.0155, 0.038),
    (0.016, 0.043), (0.0135, 0.048), (0.0125, 0.05), (0.0, 0.05),
]
RING = [(0.0, 0.048), (0.0132, 0.048), (0.0138, 0.05), (0.0138, 0.057), (0.0132, 0.059), (0.0, 0.059)]


def build():
    scene = empty_room()
    table(mottle(material("wall", "#7c8a86", 0.95), "#6d7b78", scale=3, amount=0.8))
    horn = mottle(material("horn", "#a5401f", 0.2, specular=0.6, clearcoat=0.7), "#5a1c10", scale=30, amount=0.6)
    brass = material("brass", "#d0a254", 0.25, metallic=1.0)
    rest(lathe("handle", HANDLE, horn, (0, 0, 0), segments=64), 0)
    lathe("ring", RING, brass, (0, 0, -0.0006), segments=64)
    tuft((0, 0, 0.0575))
    window((-0.7, -0.35, 0.7), (0, 0, 0.06), (0.6, 0.8), 15)
    window((0.75, 0.35, 0.5), (0, 0, 0.07), (0.25, 0.6), 7, (1, 0.9, 0.78))
    window((0.8, -0.8, 0.4), (0, 0, 0.05), (0.7, 0.7), 1.6, (0.86, 0.92, 1))
    camera((0.04, -0.5, 0.105), (0.003, 0.0, 0.055), focal_mm=100, f_stop=5.6)
    return scene


def tuft(at):
    """Badger hair: pale at the root, dark in the middle, white at the tips, spreading like a bulb."""
    rings = [(0.0001, 0), (0.004, 0), (0.008, 0), (0.0118, 0)]
    vertices, faces, segments = [], [], 32
    import math

    for radius, _ in rings:
        for step in range(segments):
            angle = 2 * math.pi * step / segments
            # A dome: hair grows away from the middle, more so at the rim.
            vertices.append((radius * math.cos(angle), radius * math.sin(angle), -0.6 * radius * radius / 0.0118))
    for ring in range(len(rings) - 1):
        for step in range(segments):
            following = (step + 1) % segments
            faces.append((ring * segments + step, (ring + 1) * segments + step, (ring + 1) * segments + following, ring * segments + following))
    root = from_mesh("root", vertices, faces, material("root", "#e5ddcf", 0.8))
    root.location = at
    hair = bpy.data.materials.new("hair")
    hair.use_nodes = True
    tree = hair.node_tree
    shader = tree.nodes["Principled BSDF"]
    shader.inputs["Roughness"].default_value = 0.45
    shader.inputs["Specular"].default_value = 0.35
    info = tree.nodes.new("ShaderNodeHairInfo")
    ramp = tree.nodes.new("ShaderNodeValToRGB")
    ramp.color_ramp.elements[0].color = (0.72, 0.62, 0.47, 1)
    for position, tint in ((0.3, (0.55, 0.43, 0.29, 1)), (0.52, (0.06, 0.045, 0.035, 1)), (0.68, (0.09, 0.07, 0.05, 1)), (0.82, (0.83, 0.78, 0.7, 1))):
        ramp.color_ramp.elements.new(position).color = tint
    ramp.color_ramp.elements[-1].color = (0.95, 0.92, 0.86, 1)
    tree.links.new(info.outputs["Intercept"], ramp.inputs["Fac"])
    tree.links.new(ramp.outputs["Color"], shader.inputs["Base Color"])
    root.data.materials.append(hair)
    root.modifiers.new("hair", "PARTICLE_SYSTEM")
    grown = root.particle_systems[0].settings
    grown.type = "HAIR"
    grown.count = 2600
    grown.hair_length = 0.046
    grown.hair_step = 5
    grown.factor_random = 0.0022
    grown.normal_factor = 0.01
    grown.child_type = "INTERPOLATED"
    grown.rendered_child_count = 5
    grown.child_length = 1.0
    grown.roughness_endpoint = 0.0025
    grown.roughness_2 = 0.0016
    grown.roughness_2_size = 1.2
    grown.length_random = 0.12
    grown.root_radius, grown.tip_radius, grown.radius_scale = 0.35, 0.1, 0.0006
    grown.material = 2
    return root
