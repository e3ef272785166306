import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../..", import.meta.url));

test.each(["admin", "data", "doctor"])(
  "npm run %s -- --help says how it is used, and does nothing else",
  async (name) => {
    for (const flag of ["--help", "-h"]) {
      // In production nothing is set up: whatever reads the configuration fails.
      const run = promisify(execFile)("node", [`packages/server/src/${name}.ts`, flag], {
        cwd: root,
        env: {
          PATH: process.env["PATH"],
          NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
          NODE_ENV: "production",
        },
      });
      const { stdout, stderr } = await run;
      expect(stdout).toContain(`npm run ${name}`);
      expect(stdout).not.toContain("FAIL");
      expect(stderr).toBe("");
    }
  },
);
