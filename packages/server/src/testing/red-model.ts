import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A network of one convolution, 256 x 256: red is subject, and any grey is background. It takes milliseconds. */
const network =
  "CAg67wEKJAoFaW5wdXQKB3dlaWdodHMKBGJpYXMSBmxpbmVhciIEQ29udgohCgZsaW5lYXIKA2xvdwoEaGlnaBIGb3V0cHV0IgRDbGlwEglwaXhlbHdpc2UqIQgBCAMIAQgBEAFCB3dlaWdodHNKDDMzsz8zMzO/MzMzvyoQCAEQAUIEYmlhc0oEAAAAACoNEAFCA2xvd0oEAAAAACoOEAFCBGhpZ2hKBAAAgD9aIQoFaW5wdXQSGAoWCAESEgoCCAEKAggDCgMIgAIKAwiAAmIiCgZvdXRwdXQSGAoWCAESEgoCCAEKAggBCgMIgAIKAwiAAkICEA8=";

/** The environment of a service whose cut-outs are made by it, and the removal of its files. */
export function redModel(): { environment: Record<string, string>; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), "tintype-red-"));
  const path = join(folder, "red.onnx");
  const settings = join(folder, "models.json");
  writeFileSync(path, Buffer.from(network, "base64"));
  const size = { kind: "fixed", heightPx: 256, widthPx: 256 };
  const input = { name: "input", size, mean: [128, 128, 128], deviation: [256, 256, 256] };
  writeFileSync(settings, JSON.stringify({ background: { source: { kind: "file", path }, input, memoryMb: 50 } }));
  return {
    environment: { TINTYPE_MODELS_FILE: settings },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
