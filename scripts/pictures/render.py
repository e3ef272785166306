"""
Renders one of the scenes to a PNG, with Blender 3.4 (Debian's package):

    nice -n 15 blender -b --factory-startup --python scripts/pictures/render.py -- SCENE OUT.png [WIDTH] [SAMPLES]

Debian's Blender comes without a denoiser; denoise.py takes its place.
"""

import importlib.util
import pathlib
import sys
import tempfile

import bpy
import numpy

here = pathlib.Path(__file__).parent
sys.path.insert(0, str(here))
from denoise import denoise  # noqa: E402


def main(scene_name, out, width="1440", samples="192"):
    file = here / "scenes" / f"{scene_name}.py"
    module = importlib.util.module_from_spec(importlib.util.spec_from_file_location("scene", file))
    module.__spec__.loader.exec_module(module)
    scene = module.build()
    across, down = getattr(module, "RATIO", (3, 2))
    render = scene.render
    render.engine = "CYCLES"
    render.resolution_x = int(width)
    render.resolution_y = round(int(width) * down / across)
    scene.cycles.device = "CPU"
    scene.cycles.samples = int(samples)
    scene.cycles.use_denoising = False
    scene.cycles.use_adaptive_sampling = True
    scene.cycles.adaptive_threshold = 0.015
    scene.cycles.sample_clamp_indirect = 4
    scene.cycles.max_bounces = 10
    scene.cycles.caustics_reflective = False
    scene.cycles.blur_glossy = 0.5
    scene.view_settings.view_transform = "Filmic"
    scene.view_settings.look = getattr(module, "LOOK", "Medium High Contrast")
    scene.view_settings.exposure = getattr(module, "EXPOSURE", 0)

    layer = scene.view_layers[0]
    for guide in ("normal", "diffuse_color", "glossy_color", "transmission_color"):
        setattr(layer, f"use_pass_{guide}", True)
    with tempfile.TemporaryDirectory() as folder:
        outputs = write_passes(scene, layer, folder)
        bpy.ops.render.render(layer=layer.name)
        light, normal, *colours = (read_pass(folder, name) for name in outputs)
    albedo = sum(colours)[..., :3].clip(0, 1)
    light[..., :3] = denoise(light[..., :3], albedo, normal[..., :3])
    save(scene, light, out)


def write_passes(scene, layer, folder):
    """Has the compositor write each pass to a file of its own."""
    scene.use_nodes = True
    tree = scene.node_tree
    tree.nodes.clear()
    source = tree.nodes.new("CompositorNodeRLayers")
    source.layer = layer.name
    names = {"light": "Image", "normal": "Normal", "diffuse": "DiffCol", "glossy": "GlossCol", "clear": "TransCol"}
    files = tree.nodes.new("CompositorNodeOutputFile")
    files.base_path = folder
    files.format.file_format = "OPEN_EXR"
    files.format.color_depth = "32"
    files.file_slots.clear()
    for name, socket in names.items():
        files.file_slots.new(name)
        tree.links.new(source.outputs[socket], files.inputs[name])
    return list(names)


def read_pass(folder, name):
    (path,) = pathlib.Path(folder).glob(f"{name}*.exr")
    image = bpy.data.images.load(str(path))
    image.colorspace_settings.name = "Linear"
    width, height = image.size
    pixels = numpy.empty(width * height * 4, dtype=numpy.float32)
    image.pixels.foreach_get(pixels)
    return pixels.reshape(height, width, 4)


def save(scene, pixels, out):
    """Through the scene's view transform, as a display would show it."""
    height, width = pixels.shape[:2]
    image = bpy.data.images.new("picture", width, height, float_buffer=True)
    image.pixels.foreach_set(pixels.astype(numpy.float32).ravel())
    scene.render.image_settings.file_format = "PNG"
    scene.render.image_settings.color_mode = "RGB"
    scene.render.image_settings.color_depth = "8"
    image.save_render(str(pathlib.Path(out).resolve()), scene=scene)


main(*sys.argv[sys.argv.index("--") + 1 :])
