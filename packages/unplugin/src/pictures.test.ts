import dns from "node:dns";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { drawnJpeg } from "../../toolkit/src/testing/drawn-jpeg.ts";
import { checkOptions, compressAssets } from "./pictures.ts";

const room = mkdtempSync(join(tmpdir(), "tintype-unplugin-"));
afterAll(() => rmSync(room, { recursive: true, force: true }));
afterEach(() => vi.restoreAllMocks());

test("a server in a private network is used in plain http with one warning, and a public one fails the build", async () => {
  const addresses: Record<string, string> = { "nas.lan": "127.0.0.1", "pictures.example": "203.0.113.9" };
  const { lookup } = dns;
  const known = (name: string, ...rest: unknown[]) =>
    (lookup as (...args: unknown[]) => void)(addresses[name] ?? name, ...rest); // of any of its signatures
  vi.spyOn(dns, "lookup").mockImplementation(known as typeof lookup);
  const assets = [{ name: "a.jpg", bytes: new Uint8Array(await drawnJpeg({ width: 40, height: 30 })) }];
  const warnings: string[] = [];
  const logger = { info() {}, warn: (line: string) => void warnings.push(line) };
  const build = (origin: string) => {
    const options = { cache: join(room, "cache"), server: { origin, key: "tt_live_0" } };
    checkOptions(options);
    return compressAssets(assets, options, logger);
  };
  for (let i = 0; i < 2; i++) await build("http://nas.lan:9"); // nothing listens there
  expect(warnings.filter((line) => line.includes("unencrypted"))).toEqual([
    "Your key and images travel to http://nas.lan:9 unencrypted. Anyone on the network can read them.",
  ]);
  expect(warnings).toHaveLength(3);
  await expect(build("http://pictures.example")).rejects.toThrow("without encryption. Use https://.");
});
