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
  for (const part of ["src", "package.json"])
    cpSync(join("packages/imaging", part), join(copy, part), {
      recursive: true,
      // The architecture test creates it temporarily.
      filter: (path) => !path.endsWith("wrong-import.ts"),
    });
  const here = engineVersion(copy);
  appendFileSync(join(copy, "src/imaging.test.ts"), "\n");
  expect(engineVersion(copy)).toBe(here);
  appendFileSync(join(copy, "src/operations/compress.ts"), "\n");
  const changed = engineVersion(copy);
  appendFileSync(join(copy, "package.json"), "\n");
  expect(new Set([here, changed, engineVersion(copy)]).size).toBe(3);
  // Cache keys contain the version.
  const offline = openOffline({ concurrency: 1, networks: openNetworks(join(copy, "networks")) });
  expect(await offline.version()).toMatch(/^offline [0-9a-f]{16}$/);
});
