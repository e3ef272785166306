import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A network of one convolution, 256 x 256: red is subject, any grey is background. It takes milliseconds. */
const network =
  "CAg67wEKJAoFaW5wdXQKB3dlaWdodHMKBGJpYXMSBmxpbmVhciIEQ29udgohCgZsaW5lYXIKA2xvdwoEaGlnaBIGb3V0cHV0IgRDbGlwEglwaXhlbHdpc2UqIQgBCAMIAQgBEAFCB3dlaWdodHNKDDMzsz8zMzO/MzMzvyoQCAEQAUIEYmlhc0oEAAAAACoNEAFCA2xvd0oEAAAAACoOEAFCBGhpZ2hKBAAAgD9aIQoFaW5wdXQSGAoWCAESEgoCCAEKAggDCgMIgAIKAwiAAmIiCgZvdXRwdXQSGAoWCAESEgoCCAEKAggBCgMIgAIKAwiAAkICEA8=";

/** Equally small, in place of the person networks: red and blue is a person, any grey is not. */
const people =
  "CAg67wEKJAoFaW5wdXQKB3dlaWdodHMKBGJpYXMSBmxpbmVhciIEQ29udgohCgZsaW5lYXIKA2xvdwoEaGlnaBIGb3V0cHV0IgRDbGlwEglwaXhlbHdpc2UqIQgBCAMIAQgBEAFCB3dlaWdodHNKDAAAQEAAAMDAAABAQCoQCAEQAUIEYmlhc0oEAAAAACoNEAFCA2xvd0oEAAAAACoOEAFCBGhpZ2hKBAAAgD9aIQoFaW5wdXQSGAoWCAESEgoCCAEKAggDCgMIgAIKAwiAAmIiCgZvdXRwdXQSGAoWCAESEgoCCAEKAggBCgMIgAIKAwiAAkICEA8=";

/** The environment of a service that makes its cut-outs with it, and a function that removes its files. */
export function redModel(): { environment: Record<string, string>; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), "tintype-red-"));
  const path = join(folder, "red.onnx");
  const peoplePath = join(folder, "people.onnx");
  const settings = join(folder, "models.json");
  writeFileSync(path, Buffer.from(network, "base64"));
  writeFileSync(peoplePath, Buffer.from(people, "base64"));
  const size = { kind: "fixed", heightPx: 256, widthPx: 256 };
  const input = { name: "input", size, mean: [128, 128, 128], deviation: [256, 256, 256] };
  const background = { source: { kind: "file", path }, input, memoryMb: 50 };
  const output = { name: "output", channels: 1, scale: 1, range: [0, 1] };
  const person = { source: { kind: "file", path: peoplePath }, input, output, memoryMb: 50 };
  writeFileSync(settings, JSON.stringify({ background, person, "person-landscape": person }));
  return {
    environment: { TINTYPE_MODELS_FILE: settings },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
