import { appendFileSync, cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { engineVersion } from "./engine-version.ts";
import { openNetworks } from "./networks.ts";
import { openOffline } from "./offline.ts";

test("a change to an encoder or to a pinned package is another version, and one to a test is not", async () => {
  const copy = mkdtempSync(join(tmpdir(), "tintype-engine-"));
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }));
  for (const part of ["codecs/src", "codecs/package.json", "imaging/src", "imaging/package.json"])
    cpSync(join("packages", part), join(copy, part), {
      recursive: true,
      // The architecture test creates it temporarily.
      filter: (path) => !path.endsWith("wrong-import.ts"),
    });
  const here = engineVersion(copy);
  appendFileSync(join(copy, "imaging/src/imaging.test.ts"), "\n");
  expect(engineVersion(copy)).toBe(here);
  appendFileSync(join(copy, "imaging/src/operations/compress.ts"), "\n");
  const changed = engineVersion(copy);
  appendFileSync(join(copy, "codecs/src/entropy/deflate.ts"), "\n");
  const deflated = engineVersion(copy);
  appendFileSync(join(copy, "imaging/package.json"), "\n");
  expect(new Set([here, changed, deflated, engineVersion(copy)]).size).toBe(4);
  // Cache keys contain the version.
  const offline = openOffline({ concurrency: 1, networks: openNetworks(join(copy, "networks")) });
  expect(await offline.version()).toMatch(/^offline [0-9a-f]{16}$/);
});
