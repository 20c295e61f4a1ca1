"""Draw scenes with Blender's path tracer: a program for a Python that has ``bpy``; it imports nothing of this package.

``python -P blender_script.py FILE`` draws the PNG of the job that its input holds; `blender` has written that. This
file has the surfaces, as Blender's nodes with the published parameters (Jiang et al. 2023, § 3.1). Bodies, lamps and
ground come with the job, as in the analytic tracer.
"""

# pyright: reportMissingImports=false
from __future__ import annotations

import json
import math
import sys

SPHERE, CYLINDER, CUBE, ROD = range(4)  # as in `solids`
SENSOR = 32.0  # millimetres
_BEVEL = 0.04  # share of half a side: rounded edges catch the light, less than a pixel wide
_GRAIN = 0.012  # grain of the mesh that joins the rods of a hand into one skin
_ROUGH = {"dull": 0.2**0.5, "sharp": 0.1, "coat": 0.35**0.5}  # Blender's roughness, the root of alpha
_FAR = 60.0  # extent of the ground to each side and to the front


def main(path: str) -> None:
    """Draw the picture of the job that the input holds."""
    import bpy  # imported here, so that this module also loads without Blender

    job = json.load(sys.stdin)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.collection.objects.link(scene_camera := _camera(bpy, job["camera"], job["lens"]))
    scene.camera = scene_camera
    for lamp in job["lamps"]:
        scene.collection.objects.link(_lamp(bpy, lamp))
    scene.collection.objects.link(_ground(bpy, job["ground"]))
    for thing in job["things"]:
        scene.collection.objects.link(_thing(bpy, thing))
    scene.world = bpy.data.worlds.new("dome")
    scene.world.node_tree.nodes["Background"].inputs["Color"].default_value = (*job["dome"], 1)
    _set(scene, job)
    scene.render.filepath = path
    bpy.ops.render.render(write_still=True)


def _set(scene, job: dict) -> None:
    """Set the render options: bounces and screen as published, but fewer samples and a denoiser."""
    render, cycles, view = scene.render, scene.cycles, scene.view_settings
    render.engine = "CYCLES"
    render.resolution_x, render.resolution_y, render.resolution_percentage = job["width"], job["height"], 100
    render.threads_mode, render.threads = "FIXED", job["threads"]
    render.dither_intensity = 0
    render.image_settings.file_format = "PNG"
    render.image_settings.color_mode, render.image_settings.color_depth = "RGB", "8"
    cycles.device, cycles.samples, cycles.seed = "CPU", job["samples"], job["seed"]
    cycles.use_denoising, cycles.denoiser, cycles.denoising_prefilter = True, "OPENIMAGEDENOISE", "FAST"
    cycles.use_adaptive_sampling, cycles.blur_glossy, cycles.transparent_max_bounces = False, 2, 8
    view.view_transform, view.look, view.exposure, view.gamma = "Standard", "None", 0, 1


def _camera(bpy, at, lens: float):
    from mathutils import Vector  # comes with bpy

    data = bpy.data.cameras.new("camera")
    data.sensor_fit, data.sensor_width, data.lens, data.clip_end = "HORIZONTAL", SENSOR, SENSOR * lens, 1000
    camera = bpy.data.objects.new("camera", data)
    camera.location = at
    camera.rotation_mode = "QUATERNION"
    camera.rotation_quaternion = (-Vector(at)).to_track_quat("-Z", "Y")
    return camera


def _lamp(bpy, lamp: dict):
    """Return a square lamp, or a sun if the side is 0; the camera sees neither."""
    from mathutils import Vector

    most = max(lamp["power"])
    data = bpy.data.lights.new("lamp", "AREA" if lamp["side"] else "SUN")
    data.color = [share / most for share in lamp["power"]]
    if lamp["side"]:
        data.shape, data.size = "SQUARE", lamp["side"]
        data.energy = math.pi * most  # a watt in all directions for each unit of radiance times area
    else:
        data.energy, data.angle = most, lamp["angle"]
    lamp_object = bpy.data.objects.new("lamp", data)
    lamp_object.location, lamp_object.rotation_mode = lamp["at"], "QUATERNION"
    lamp_object.rotation_quaternion = Vector(lamp["toward"]).to_track_quat("-Z", "Y")
    lamp_object.visible_camera = False
    return lamp_object


def _ground(bpy, ground: dict):
    """Return the ground: level, then a quarter circle upwards, then upright, like paper in a studio."""
    (bx, by), bend, bow, low = ground["behind"], ground["bend"], ground["bow"], ground["height"]
    profile = [(-_FAR, low), (bend, low)]
    for k in range(1, 97):
        angle = math.pi / 2 * k / 96
        profile.append((bend + bow * math.sin(angle), low + bow * (1 - math.cos(angle))))
    profile.append((bend + bow, low + _FAR))
    points = [(s * bx - side * by, s * by + side * bx, z) for s, z in profile for side in (-_FAR, _FAR)]
    faces = [(2 * k, 2 * k + 2, 2 * k + 3, 2 * k + 1) for k in range(len(profile) - 1)]
    mesh = bpy.data.meshes.new("ground")
    mesh.from_pydata(points, [], faces)
    mesh.polygons.foreach_set("use_smooth", [True] * len(faces))
    mesh.materials.append(_material(bpy, "ground", [ground["share"]] * 3))
    return bpy.data.objects.new("ground", mesh)


def _thing(bpy, thing: dict):
    """Return a thing, or a hand of rods, as a mesh of its material."""
    kind = int(thing["bodies"][0][0])
    mesh, (_, x, y, z, _, cosine, sine, *_) = bpy.data.meshes.new("thing"), thing["bodies"][0]
    shape = _hand(thing["bodies"]) if kind == ROD else _shaped(kind, thing["bodies"][0][4])
    shape.to_mesh(mesh)
    shape.free()
    mesh.polygons.foreach_set("use_smooth", [True] * len(mesh.polygons))
    mesh.materials.append(_material(bpy, thing["material"], thing["colour"]))
    body = bpy.data.objects.new("thing", mesh)
    if kind == ROD:
        skin = body.modifiers.new("skin", "REMESH")
        skin.mode, skin.voxel_size, skin.use_smooth_shade = "VOXEL", _GRAIN, True
        body.modifiers.new("smooth", "SMOOTH").iterations = 4
        return body
    body.location, body.rotation_euler = (x, y, z), (0, 0, math.atan2(sine, cosine))
    if kind != SPHERE:
        edge = body.modifiers.new("edge", "BEVEL")
        edge.width, edge.segments, edge.harden_normals = _BEVEL * thing["bodies"][0][4], 3, True
        edge.limit_method = "ANGLE"
    return body


def _shaped(kind: int, half: float):
    import bmesh  # comes with bpy

    mesh = bmesh.new()
    if kind == SPHERE:
        bmesh.ops.create_uvsphere(mesh, u_segments=96, v_segments=48, radius=half)
    elif kind == CYLINDER:
        bmesh.ops.create_cone(mesh, cap_ends=True, segments=128, radius1=half, radius2=half, depth=2 * half)
    else:
        bmesh.ops.create_cube(mesh, size=2 * half)
    return mesh


def _hand(rods):
    import bmesh
    from mathutils import Matrix, Vector

    mesh = bmesh.new()
    for _, ax, ay, az, radius, _, _, bx, by, bz in rods:
        ends = Vector((ax, ay, az)), Vector((bx, by, bz))
        along = ends[1] - ends[0]
        pose = Matrix.Translation((ends[0] + ends[1]) / 2) @ along.to_track_quat("Z", "Y").to_matrix().to_4x4()
        bmesh.ops.create_cone(
            mesh, cap_ends=True, segments=24, radius1=radius, radius2=radius, depth=along.length, matrix=pose
        )
        for end in ends:
            bmesh.ops.create_uvsphere(mesh, u_segments=24, v_segments=12, radius=radius, matrix=Matrix.Translation(end))
    return mesh


def _material(bpy, name: str, colour):
    """Return a surface of a colour, given as shares of light."""
    material = bpy.data.materials.new(name)
    material.use_nodes = True
    nodes, links = material.node_tree.nodes, material.node_tree.links
    nodes.clear()
    colour = (*colour, 1)

    def node(kind: str, **inputs):
        shader = nodes.new(f"ShaderNode{kind}")
        for key, value in inputs.items():
            shader.inputs[key].default_value = value
        return shader

    def mixed(share, first, second):
        """Return a mix of two surfaces; a number or a Fresnel node gives the share of the second."""
        mixer = nodes.new("ShaderNodeMixShader")
        if isinstance(share, float):
            mixer.inputs[0].default_value = share
        else:
            links.new(share.outputs[0], mixer.inputs[0])
        links.new(first.outputs[0], mixer.inputs[1])
        links.new(second.outputs[0], mixer.inputs[2])
        return mixer

    if name == "glass":
        surface = node("BsdfGlass", Color=colour, Roughness=0.0, IOR=1.1)
        surface.distribution = "BECKMANN"
    elif name == "metal":
        lobes = [
            node("BsdfAnisotropic", Color=colour, Roughness=_ROUGH[part], Anisotropy=0.25) for part in ("dull", "sharp")
        ]
        for lobe in lobes:
            lobe.distribution = "GGX"
        surface = mixed(0.6, *lobes)
    elif name == "rubber":
        sheen, coat = node("BsdfSheen", Color=colour, Roughness=1.0), node("BsdfAnisotropic", Roughness=_ROUGH["coat"])
        sheen.distribution, coat.distribution = "ASHIKHMIN", "BECKMANN"
        coat.inputs["Color"].default_value = (0.8, 0.8, 0.8, 1)
        skin = mixed(node("Fresnel", IOR=1.4), node("BsdfDiffuse", Color=colour), sheen)
        surface = mixed(node("Fresnel", IOR=1.2), skin, coat)
    else:
        surface = node("BsdfDiffuse", Color=colour)
    links.new(surface.outputs[0], node("OutputMaterial").inputs["Surface"])
    return material


if __name__ == "__main__":
    main(*sys.argv[1:])
