// The inner loops of quality/score/error-maps.ts. Addresses and strides are bytes, widths are samples (f32). `stride`
// is a multiple of 16 and exceeds a row by at least 64. The samples of a map start 16 bytes after its row and are
// surrounded by zeros. The blur kernel is given by its weights: the centre, then each pair of neighbours.

/** Fills the five rows from `maps` on: the planes at `a` and `b`, their squares, and their product. */
export function fillMaps(a: usize, b: usize, width: usize, maps: usize, stride: usize): void {
  const end = a + (width << 2);
  let to = maps + 16;
  for (; a < end; a += 16, b += 16, to += 16) {
    const p = v128.load(a);
    const q = v128.load(b);
    v128.store(to, p);
    v128.store(to + stride, q);
    v128.store(to + 2 * stride, f32x4.mul(p, p));
    v128.store(to + 3 * stride, f32x4.mul(q, q));
    v128.store(to + 4 * stride, f32x4.mul(p, q));
  }
  const zeros = i32x4.splat(0);
  to = maps + 16 + (width << 2);
  for (let map = 0; map < 5; map++, to += stride) {
    v128.store(to, zeros);
    v128.store(to + 16, zeros);
  }
}

function weighted(k: v128, one: v128, other: v128): v128 {
  return f32x4.mul(k, f32x4.add(one, other));
}

/** Blurs the five rows horizontally: from `maps` to `to`. */
export function blurAcross(maps: usize, to: usize, stride: usize, k0: f32, k1: f32, k2: f32, k3: f32, k4: f32): void {
  const w0 = f32x4.splat(k0);
  const w1 = f32x4.splat(k1);
  const w2 = f32x4.splat(k2);
  const w3 = f32x4.splat(k3);
  const w4 = f32x4.splat(k4);
  const end = maps + 5 * stride - 32;
  for (let at = maps + 16; at < end; at += 16) {
    let sum = f32x4.mul(w0, v128.load(at));
    sum = f32x4.add(sum, weighted(w1, v128.load(at - 4), v128.load(at + 4)));
    sum = f32x4.add(sum, weighted(w2, v128.load(at - 8), v128.load(at + 8)));
    sum = f32x4.add(sum, weighted(w3, v128.load(at - 12), v128.load(at + 12)));
    sum = f32x4.add(sum, weighted(w4, v128.load(at - 16), v128.load(at + 16)));
    v128.store(to + (at - maps), sum);
  }
}

/** Blurs nine rows of the five maps vertically into `to`. `rows` has their addresses (u32). */
export function blurDown(rows: usize, to: usize, stride: usize, k0: f32, k1: f32, k2: f32, k3: f32, k4: f32): void {
  const w0 = f32x4.splat(k0);
  const w1 = f32x4.splat(k1);
  const w2 = f32x4.splat(k2);
  const w3 = f32x4.splat(k3);
  const w4 = f32x4.splat(k4);
  const a: usize = load<u32>(rows);
  const b: usize = load<u32>(rows, 4);
  const c: usize = load<u32>(rows, 8);
  const d: usize = load<u32>(rows, 12);
  const e: usize = load<u32>(rows, 16);
  const f: usize = load<u32>(rows, 20);
  const g: usize = load<u32>(rows, 24);
  const h: usize = load<u32>(rows, 28);
  const i: usize = load<u32>(rows, 32);
  const end: usize = 5 * stride;
  for (let at: usize = 0; at < end; at += 16) {
    let sum = f32x4.mul(w0, v128.load(e + at));
    sum = f32x4.add(sum, weighted(w1, v128.load(d + at), v128.load(f + at)));
    sum = f32x4.add(sum, weighted(w2, v128.load(c + at), v128.load(g + at)));
    sum = f32x4.add(sum, weighted(w3, v128.load(b + at), v128.load(h + at)));
    sum = f32x4.add(sum, weighted(w4, v128.load(a + at), v128.load(i + at)));
    v128.store(to + at, sum);
  }
}

function addLanes(to: usize, sums: v128): void {
  const sum =
    <f64>f32x4.extract_lane(sums, 0) +
    <f64>f32x4.extract_lane(sums, 1) +
    <f64>f32x4.extract_lane(sums, 2) +
    <f64>f32x4.extract_lane(sums, 3);
  store<f64>(to, load<f64>(to) + sum);
}

/** Adds a row's three errors and their fourth powers to the six f64 at `sums`. `maps` are the blurred maps. */
export function addErrors(a: usize, b: usize, width: usize, maps: usize, stride: usize, sums: usize): void {
  const one = f32x4.splat(1);
  const two = f32x4.splat(2);
  const zero = f32x4.splat(0);
  const stabiliser = f32x4.splat(0.0009); // C2 of SSIM
  let s1 = zero;
  let s4 = zero;
  let c1 = zero;
  let c4 = zero;
  let w1 = zero;
  let w4 = zero;
  let map = maps + 16;
  for (let x: usize = 0; x < width; x += 4, map += 16, a += 16, b += 16) {
    const mu1 = v128.load(map);
    const mu2 = v128.load(map + stride);
    const mu11 = f32x4.mul(mu1, mu1);
    const mu22 = f32x4.mul(mu2, mu2);
    const spread1 = f32x4.sub(v128.load(map + 2 * stride), mu11);
    const spread2 = f32x4.sub(v128.load(map + 3 * stride), mu22);
    const common = f32x4.sub(v128.load(map + 4 * stride), f32x4.mul(mu1, mu2));
    // SSIM without division by luminance: the planes are already perceptually uniform.
    const off = f32x4.sub(mu1, mu2);
    const means = f32x4.sub(one, f32x4.mul(off, off));
    const spread = f32x4.div(
      f32x4.add(f32x4.mul(two, common), stabiliser),
      f32x4.add(f32x4.add(spread1, spread2), stabiliser),
    );
    const isInside = i32x4.gt_s(i32x4.splat(<i32>(width - x)), i32x4(0, 1, 2, 3));
    const structure = v128.and(isInside, f32x4.max(zero, f32x4.sub(one, f32x4.mul(means, spread))));
    const edge1 = f32x4.abs(f32x4.sub(v128.load(a), mu1));
    const edge2 = f32x4.abs(f32x4.sub(v128.load(b), mu2));
    const change = v128.and(isInside, f32x4.sub(f32x4.div(f32x4.add(one, edge2), f32x4.add(one, edge1)), one));
    const came = f32x4.max(zero, change);
    const went = f32x4.max(zero, f32x4.neg(change));
    s1 = f32x4.add(s1, structure);
    const structure2 = f32x4.mul(structure, structure);
    s4 = f32x4.add(s4, f32x4.mul(structure2, structure2));
    c1 = f32x4.add(c1, came);
    const came2 = f32x4.mul(came, came);
    c4 = f32x4.add(c4, f32x4.mul(came2, came2));
    w1 = f32x4.add(w1, went);
    const went2 = f32x4.mul(went, went);
    w4 = f32x4.add(w4, f32x4.mul(went2, went2));
  }
  addLanes(sums, s1);
  addLanes(sums + 8, s4);
  addLanes(sums + 16, c1);
  addLanes(sums + 24, c4);
  addLanes(sums + 32, w1);
  addLanes(sums + 40, w4);
}
