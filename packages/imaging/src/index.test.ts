import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";

const listing = `
const { registerHooks } = await import("node:module");
registerHooks({ load(url, context, next) { console.log(url); return next(url, context); } });
await import(process.argv[1]);
`;

test("a server's start loads no engine, no codec and no kernel, which may not be built yet", () => {
  const index = new URL("./index.ts", import.meta.url).href;
  const loaded = execFileSync(process.execPath, ["--input-type=module", "--eval", listing, index], {
    encoding: "utf8",
  });
  expect(loaded).toContain("/imaging/src/operations/predict-step.ts");
  expect(loaded).not.toMatch(/codecs\/src\/(?!headers\/|raster\/)|formats\/registry|\/sharp\//);
});
