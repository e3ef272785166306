import { fromLight } from "@tintype/codecs/colour";
import { fullScale, type IntegerSamples } from "@tintype/codecs/raster";
import { photometrics } from "./layout.ts";

type Lab = {
  channels: number;
  photometric: number;
  bits: number;
  sampleFormat: number;
  /** Receives sRGB, and alpha unchanged but for its scale. */
  data: IntegerSamples;
};

/**
 * Converts CIE L*a*b* (D50) to sRGB. a* and b* are signed in CIELab (TIFF 6.0, 23), and offset by 128 in ICCLab
 * (Adobe's technical note 4). In 16-bit samples the unit of a* and b* is 256 steps; floating-point samples hold the
 * values themselves.
 */
export function convertLab(values: Float32Array, { channels, photometric, bits, sampleFormat, data }: Lab): void {
  const full = fullScale(data);
  const isFloat = sampleFormat === 3;
  const maxValue = 2 ** bits - 1;
  const half = 2 ** (bits - 1);
  const step = 2 ** (bits - 8);
  const isOffset = photometric === photometrics.iccLab;
  const lightness = (value: number) => (isFloat ? value : (100 * value) / (isOffset ? 255 * step : maxValue));
  const axis = (value: number) => {
    if (isFloat) return value;
    return (isOffset ? value - half : value >= half ? value - 2 * half : value) / step;
  };
  for (let i = 0; i + 2 < values.length; i += channels) {
    const [r, g, b] = labToSrgb(lightness(values[i] ?? 0), axis(values[i + 1] ?? 0), axis(values[i + 2] ?? 0));
    data[i] = r * full + 0.5;
    data[i + 1] = g * full + 0.5;
    data[i + 2] = b * full + 0.5;
    if (channels === 4) data[i + 3] = (values[i + 3] ?? 0) * (isFloat ? full : full / maxValue) + 0.5;
  }
}

/**
 * CIE 15: L*a*b* to XYZ (D50). Then the inverse of the sRGB ICC profile's matrix, and the transfer function of IEC
 * 61966-2-1.
 */
function labToSrgb(l: number, a: number, b: number): [number, number, number] {
  const fy = (l + 16) / 116;
  const x = 0.9642 * fromCube(fy + a / 500);
  const y = fromCube(fy);
  const z = 0.8249 * fromCube(fy - b / 200);
  return [
    encode(3.1338561 * x - 1.6168667 * y - 0.4906146 * z),
    encode(-0.9787684 * x + 1.9161415 * y + 0.033454 * z),
    encode(0.0719453 * x - 0.2289914 * y + 1.4052427 * z),
  ];
}

const fromCube = (t: number) => (t > 6 / 29 ? t ** 3 : 3 * (6 / 29) ** 2 * (t - 4 / 29));

const encode = (light: number): number => Math.max(0, Math.min(1, fromLight(light)));
