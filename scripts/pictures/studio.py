"""What every scene shares: a table, a window, materials, shapes on the lathe, and a camera. Lengths are in metres."""

import math

import bpy
import numpy
from mathutils import Vector

# Fixed: the same script draws the same picture.
random = numpy.random.default_rng(1856)


def empty_room(world=(0.012, 0.011, 0.010)):
    """Takes everything out, and leaves the dark."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.world = bpy.data.worlds.new("room")
    scene.world.use_nodes = True
    background = scene.world.node_tree.nodes["Background"]
    background.inputs["Color"].default_value = (*world, 1)
    return scene


def colour(hexadecimal):
    """`#d8432b` as linear RGB, the way shaders want it."""
    channels = [int(hexadecimal[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    return tuple(c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)


def material(name, base, roughness=0.5, **inputs):
    """A principled material; further inputs by their names, with underscores for blanks."""
    made = bpy.data.materials.new(name)
    made.use_nodes = True
    shader = made.node_tree.nodes["Principled BSDF"]
    shader.inputs["Base Color"].default_value = (*(colour(base) if isinstance(base, str) else base), 1)
    shader.inputs["Roughness"].default_value = roughness
    for key, value in inputs.items():
        shader.inputs[key.replace("_", " ").title().replace("Ior", "IOR")].default_value = value
    return made


def mottle(made, other, scale=18, amount=0.5, bump=0.0, detail=6):
    """Lets a material's colour wander towards another, and its surface be uneven."""
    tree = made.node_tree
    shader = tree.nodes["Principled BSDF"]
    noise = tree.nodes.new("ShaderNodeTexNoise")
    coordinates = tree.nodes.new("ShaderNodeTexCoord")
    tree.links.new(coordinates.outputs["Object"], noise.inputs["Vector"])
    noise.inputs["Scale"].default_value = scale
    noise.inputs["Detail"].default_value = detail
    ramp = tree.nodes.new("ShaderNodeValToRGB")
    ramp.color_ramp.elements[0].position = 0.5 - amount / 2
    ramp.color_ramp.elements[1].position = 0.5 + amount / 2
    ramp.color_ramp.elements[0].color = shader.inputs["Base Color"].default_value
    ramp.color_ramp.elements[1].color = (*colour(other), 1)
    tree.links.new(noise.outputs["Fac"], ramp.inputs["Fac"])
    tree.links.new(ramp.outputs["Color"], shader.inputs["Base Color"])
    if bump:
        node = tree.nodes.new("ShaderNodeBump")
        node.inputs["Strength"].default_value = bump
        node.inputs["Distance"].default_value = 0.002
        tree.links.new(noise.outputs["Fac"], node.inputs["Height"])
        tree.links.new(node.outputs["Normal"], shader.inputs["Normal"])
    return made


def weave(made, threads=420, strength=0.5):
    """The over and under of cloth, as a bump."""
    tree = made.node_tree
    coordinates = tree.nodes.new("ShaderNodeTexCoord")
    mix = tree.nodes.new("ShaderNodeMath")
    mix.operation = "MULTIPLY"
    for direction in ("X", "Y"):
        wave = tree.nodes.new("ShaderNodeTexWave")
        wave.bands_direction = direction
        wave.inputs["Scale"].default_value = threads / 20
        wave.inputs["Distortion"].default_value = 0.4
        tree.links.new(coordinates.outputs["Object"], wave.inputs["Vector"])
        tree.links.new(wave.outputs["Fac"], mix.inputs[0 if direction == "X" else 1])
    bump = tree.nodes.new("ShaderNodeBump")
    bump.inputs["Strength"].default_value = strength
    bump.inputs["Distance"].default_value = 0.0012
    tree.links.new(mix.outputs[0], bump.inputs["Height"])
    tree.links.new(bump.outputs["Normal"], tree.nodes["Principled BSDF"].inputs["Normal"])
    return made


def from_mesh(name, vertices, faces, made, smooth=True, subdivide=0):
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata([tuple(v) for v in vertices], [], faces)
    mesh.update()
    for polygon in mesh.polygons:
        polygon.use_smooth = smooth
    thing = bpy.data.objects.new(name, mesh)
    bpy.context.collection.objects.link(thing)
    thing.data.materials.append(made)
    if subdivide:
        modifier = thing.modifiers.new("round", "SUBSURF")
        modifier.levels = modifier.render_levels = subdivide
    return thing


def lathe(name, profile, made, at=(0, 0, 0), segments=48, subdivide=2, wobble=None):
    """Turns a profile of (radius, height) about the upright axis. `wobble(angle, height)` scales the radius."""
    vertices, faces = [], []
    for radius, height in profile:
        for step in range(segments):
            angle = 2 * math.pi * step / segments
            r = radius * (wobble(angle, height) if wobble else 1)
            vertices.append((r * math.cos(angle), r * math.sin(angle), height))
    for ring in range(len(profile) - 1):
        for step in range(segments):
            following = (step + 1) % segments
            low, high = ring * segments, (ring + 1) * segments
            faces.append((low + step, low + following, high + following, high + step))
    thing = from_mesh(name, vertices, faces, made, subdivide=subdivide)
    thing.location = at
    return thing


def tube(name, points, radius, made, at=(0, 0, 0), closed=False):
    """A round wire through points."""
    curve = bpy.data.curves.new(name, "CURVE")
    curve.dimensions = "3D"
    curve.bevel_depth = radius
    curve.bevel_resolution = 6
    curve.resolution_u = 24
    spline = curve.splines.new("NURBS" if len(points) > 2 else "POLY")
    spline.points.add(len(points) - 1)
    for point, place in zip(spline.points, points):
        point.co = (*place, 1)
    spline.use_endpoint_u = True
    spline.use_cyclic_u = closed
    spline.order_u = 4
    curve.use_fill_caps = True
    thing = bpy.data.objects.new(name, curve)
    thing.location = at
    thing.data.materials.append(made)
    bpy.context.collection.objects.link(thing)
    return thing


def ball(name, radius, made, at):
    bpy.ops.mesh.primitive_uv_sphere_add(radius=radius, location=at, segments=64, ring_count=32)
    thing = bpy.context.object
    thing.name = name
    bpy.ops.object.shade_smooth()
    thing.data.materials.append(made)
    return thing


def box(name, size, made, at, turn=(0, 0, 0), bevel=0.002):
    bpy.ops.mesh.primitive_cube_add(size=1, location=at, rotation=turn)
    thing = bpy.context.object
    thing.name = name
    thing.scale = size
    bpy.ops.object.transform_apply(scale=True, location=False, rotation=False)
    thing.data.materials.append(made)
    if bevel:
        modifier = thing.modifiers.new("edge", "BEVEL")
        modifier.width = bevel
        modifier.segments = 3
    return thing


def table(made, size=6, at=(0, 0, 0)):
    """A plane that bends up behind, so that there is no horizon."""
    depth, vertices = size / 2, []
    profile = [(-depth, 0), (-1, 0), (0.2, 0), (0.5, 0), (0.6, 0), (0.7, 0), (0.9, 0.02), (1.15, 0.12), (1.3, 0.3), (1.35, 0.6), (1.35, 3)]
    for y, z in profile:
        vertices += [(-size / 2, y, z), (size / 2, y, z)]
    faces = [(2 * i, 2 * i + 1, 2 * i + 3, 2 * i + 2) for i in range(len(profile) - 1)]
    thing = from_mesh("table", vertices, faces, made, subdivide=3)
    thing.location = at
    return thing


def cloth(name, made, width, depth, at, folds, cells=160):
    """A sheet whose height is `folds(x, y)`, with a hem of its own thickness."""
    xs = numpy.linspace(-width / 2, width / 2, cells)
    ys = numpy.linspace(-depth / 2, depth / 2, cells)
    vertices = [(x, y, folds(x, y)) for y in ys for x in xs]
    faces = [
        (r * cells + c, r * cells + c + 1, (r + 1) * cells + c + 1, (r + 1) * cells + c)
        for r in range(cells - 1)
        for c in range(cells - 1)
    ]
    thing = from_mesh(name, vertices, faces, made, subdivide=1)
    thick = thing.modifiers.new("thickness", "SOLIDIFY")
    thick.thickness = 0.0015
    thing.location = at
    return thing


def window(at, towards, size, power, tint=(1, 0.96, 0.9)):
    """A soft rectangle of light; power in watts."""
    light = bpy.data.lights.new("window", "AREA")
    light.shape = "RECTANGLE"
    light.size, light.size_y = size
    light.energy = power
    light.color = tint
    thing = bpy.data.objects.new("window", light)
    thing.location = at
    aim(thing, towards)
    bpy.context.collection.objects.link(thing)
    return thing


def camera(at, towards, focal_mm=70, f_stop=4.0, focus=None):
    data = bpy.data.cameras.new("camera")
    data.lens = focal_mm
    data.dof.use_dof = True
    data.dof.aperture_fstop = f_stop
    data.dof.focus_distance = (Vector(focus or towards) - Vector(at)).length
    thing = bpy.data.objects.new("camera", data)
    thing.location = at
    aim(thing, towards)
    bpy.context.collection.objects.link(thing)
    bpy.context.scene.camera = thing
    return thing


def aim(thing, towards):
    direction = Vector(towards) - Vector(thing.location)
    thing.rotation_euler = direction.to_track_quat("-Z", "Y").to_euler()


def rest(thing, height, sink=0.0006):
    """Lowers or lifts a thing until its lowest point touches `height`. It must be in its final turn and size."""
    bpy.context.view_layer.update()
    shaped = thing.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = shaped.to_mesh()
    lowest = min((shaped.matrix_world @ vertex.co).z for vertex in mesh.vertices)
    shaped.to_mesh_clear()
    thing.location.z += height - lowest - sink
    return thing
