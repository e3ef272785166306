"""A drawn curve as wire, held by brass pins, with the threads that are its handles."""

from studio import ball, camera, cloth, empty_room, lathe, material, mottle, table, tube, window

EXPOSURE = 0.35
PIN = [(0.0, 0.026), (0.0016, 0.0258), (0.0042, 0.0248), (0.0048, 0.023), (0.0042, 0.0212), (0.0016, 0.0202), (0.0007, 0.019), (0.0007, 0.0), (0.0, 0.0)]


def build():
    scene = empty_room()
    table(mottle(material("paper", "#efe9df", 0.9, specular=0.15), "#e6ded1", scale=7, amount=0.8, bump=0.02))
    ink, thread = material("wire", "#1b1715", 0.35), material("thread", "#d8432b", 0.7)
    brass = material("brass", "#c99a4a", 0.28, metallic=1.0)
    chalk = material("grid", "#cfc6b8", 0.9)
    for step in range(-8, 9):
        tube("line", [(step * 0.03, -0.3, 0.0001), (step * 0.03, 0.3, 0.0001)], 0.00025, chalk)
        tube("line", [(-0.3, step * 0.03, 0.0001), (0.3, step * 0.03, 0.0001)], 0.00025, chalk)
    # Two cubic pieces that meet smoothly: SVG's "C" followed by "S".
    pieces = [((-0.15, -0.05), (-0.12, 0.11), (-0.04, 0.11), (0.0, 0.02)), ((0.0, 0.02), (0.04, -0.07), (0.12, -0.07), (0.15, 0.06))]
    points = []
    for a, b, c, d in pieces:
        for step in range(33):
            t = step / 32
            u = 1 - t
            points.append(tuple(u**3 * a[i] + 3 * u * u * t * b[i] + 3 * u * t * t * c[i] + t**3 * d[i] for i in (0, 1)))
    tube("curve", [(x, y, 0.017) for x, y in points], 0.0024, ink)
    for a, b, c, d in pieces:
        for end, handle in ((a, b), (d, c)):
            tube("handle", [(*end, 0.019), (*handle, 0.019)], 0.0007, thread)
            ball("grip", 0.0052, thread, (*handle, 0.019))
    for place in (pieces[0][0], pieces[0][3], pieces[1][3]):
        lathe("pin", PIN, brass, (*place, 0), segments=32)
    for a, b, c, d in pieces:
        for handle in (b, c):
            tube("stand", [(*handle, 0.0), (*handle, 0.017)], 0.0006, brass)
    window((-0.7, 0.5, 0.6), (0, 0, 0), (0.35, 0.35), 11)
    window((0.8, -0.6, 0.9), (0, 0, 0), (0.9, 0.9), 2.2, (0.88, 0.93, 1))
    camera((0.08, -0.5, 0.36), (0.0, 0.012, 0.004), focal_mm=66, f_stop=4, focus=(0.0, 0.0, 0.017))
    return scene
