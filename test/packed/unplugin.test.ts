import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { drawnJpeg } from "../../packages/toolkit/src/testing/drawn-jpeg.ts";
import { checkPackage } from "./check-package.ts";
import { installPacked, type Packed, plainEnvironment } from "./pack.ts";

const run = promisify(execFile);
const tool = (name: string) => fileURLToPath(new URL(`../../node_modules/${name}`, import.meta.url));

let packed: Packed;
let room: string;
beforeAll(async () => {
  packed = await installPacked("@tintype/unplugin");
  room = mkdtempSync(join(tmpdir(), "tintype-unplugin-"));
}, 280_000);
afterAll(() => {
  packed.remove();
  rmSync(room, { recursive: true, force: true });
});

test(
  "the plugin has all it needs, and publint and are-the-types-wrong find nothing",
  () => checkPackage(packed, "@tintype/unplugin"),
  120_000,
);

test("a build of Vite comes out with smaller pictures, those of the public folder too", async () => {
  const site = join(packed.folder, "site");
  mkdirSync(join(site, "public"), { recursive: true });
  const photo = await drawnJpeg({ width: 300, height: 200, seed: 9 });
  const shared = await drawnJpeg({ width: 310, height: 200, seed: 10 });
  writeFileSync(join(site, "photo.jpg"), photo);
  writeFileSync(join(site, "public", "shared.jpg"), shared);
  writeFileSync(join(site, "index.html"), '<!doctype html><title>Page</title><img src="./photo.jpg" alt="A photo">');
  writeFileSync(
    join(site, "vite.config.js"),
    `import tintype from "@tintype/unplugin/vite";
export default { plugins: [tintype({ compress: { quality: 60 }, cache: ${JSON.stringify(join(room, "vite-cache"))} })], build: { assetsInlineLimit: 0 } };
`,
  );
  const build = () =>
    run(process.execPath, [tool("vite/bin/vite.js"), "build"], { cwd: site, env: plainEnvironment() });
  const { stdout } = await build();
  expect(stdout).toContain("[tintype] Pictures stay on this computer. 1 picture:");
  const [asset = ""] = readdirSync(join(site, "dist/assets")).filter((name) => name.endsWith(".jpg"));
  const once = [readFileSync(join(site, "dist/assets", asset)), readFileSync(join(site, "dist/shared.jpg"))];
  expect(once.map(({ length }, i) => length < ([photo, shared][i]?.length ?? 0))).toEqual([true, true]);
  await build();
  const again = [readFileSync(join(site, "dist/assets", asset)), readFileSync(join(site, "dist/shared.jpg"))];
  expect(again.map((bytes, i) => bytes.equals(once[i] ?? Buffer.alloc(0)))).toEqual([true, true]);
}, 120_000);

test("pictures of a public folder that a build of Vite puts its files into stay as they are", async () => {
  const site = join(packed.folder, "site-public");
  mkdirSync(join(site, "public"), { recursive: true });
  const photo = await drawnJpeg({ width: 300, height: 200, seed: 13 });
  writeFileSync(join(site, "photo.jpg"), photo);
  writeFileSync(join(site, "public", "shared.jpg"), photo);
  writeFileSync(join(site, "index.html"), '<!doctype html><title>Page</title><img src="./photo.jpg" alt="A photo">');
  writeFileSync(
    join(site, "vite.config.js"),
    `import tintype from "@tintype/unplugin/vite";
export default { plugins: [tintype(${unpluginOptions("public")})], build: { outDir: "public", emptyOutDir: false, assetsInlineLimit: 0 } };
`,
  );
  await run(process.execPath, [tool("vite/bin/vite.js"), "build"], { cwd: site, env: plainEnvironment() });
  expect(readFileSync(join(site, "public", "shared.jpg")).equals(photo)).toBe(true);
  const [asset = ""] = readdirSync(join(site, "public/assets"));
  expect(readFileSync(join(site, "public/assets", asset)).length).toBeLessThan(photo.length);
}, 120_000);

const unpluginOptions = (name: string) =>
  JSON.stringify({ compress: { quality: 60 }, cache: join(room, `${name}-cache`), concurrency: 1 });

/** A build by each bundler's own program: `main.js` takes `photo.jpg`, and the output lies in `dist`. */
const builds = {
  webpack: () => `import { join } from "node:path";
import webpack from ${JSON.stringify(pathToFileURL(tool("webpack/lib/index.js")).href)};
import tintype from "@tintype/unplugin/webpack";
const rules = [{ test: /[.]jpg$/, type: "asset/resource" }];
const output = { path: join(import.meta.dirname, "dist"), assetModuleFilename: "[name][ext][query]" };
const plugins = [tintype(${unpluginOptions("webpack")})];
webpack({ mode: "production", context: import.meta.dirname, entry: "./main.js", output, module: { rules }, plugins }, (problem, stats) => {
  if (problem ?? stats.hasErrors()) throw problem ?? new Error(stats.toString());
});
`,
  rollup: () => `import { readFileSync } from "node:fs";
import { rollup } from ${JSON.stringify(pathToFileURL(tool("rollup/dist/es/rollup.js")).href)};
import tintype from "@tintype/unplugin/rollup";
const pictures = {
  name: "pictures",
  load(id) {
    if (!id.endsWith(".jpg")) return undefined;
    const place = this.emitFile({ type: "asset", fileName: "photo.jpg", source: readFileSync(id) });
    return "export default import.meta.ROLLUP_FILE_URL_" + place;
  },
};
const bundle = await rollup({ input: "main.js", plugins: [pictures, tintype(${unpluginOptions("rollup")})] });
await bundle.write({ dir: "dist" });
`,
};

test.each([
  [
    "{ quality: 60 }",
    'There is no option "quality". There are: compress, include, exclude, cache, concurrency, server, strict.',
  ],
  ["{ compress: { qualty: 60 } }", 'There is no option of compress "qualty". Did you mean "quality"?'],
  ["{ concurrency: 0 }", "Please give concurrency as 1 to 64."],
  ['{ server: "https://pictures.example.com" }', "Please give server as { origin, key }."],
])(
  "the options %s end the build with a sentence",
  async (options, sentence) => {
    const site = join(packed.folder, "site-wrong");
    mkdirSync(site, { recursive: true });
    writeFileSync(join(site, "photo.jpg"), await drawnJpeg({ width: 30, height: 20, seed: 14 }));
    writeFileSync(join(site, "index.html"), '<!doctype html><title>Page</title><img src="./photo.jpg" alt="A photo">');
    writeFileSync(
      join(site, "vite.config.js"),
      `import tintype from "@tintype/unplugin/vite";
export default { plugins: [tintype(${options})], build: { assetsInlineLimit: 0 } };
`,
    );
    const building = run(process.execPath, [tool("vite/bin/vite.js"), "build"], { cwd: site, env: plainEnvironment() });
    await expect(building).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining(sentence) });
  },
  120_000,
);

test.each(["webpack", "rollup"] as const)(
  "a build of %s comes out with smaller pictures",
  async (bundler) => {
    const site = join(packed.folder, `site-${bundler}`);
    mkdirSync(site);
    const photo = await drawnJpeg({ width: 300, height: 200, seed: 11 });
    writeFileSync(join(site, "photo.jpg"), photo);
    // The names of webpack's assets have the query, as its own default does.
    const query = bundler === "webpack" ? "?v=2" : "";
    writeFileSync(join(site, "main.js"), `import photo from "./photo.jpg${query}";\nconsole.log(photo);\n`);
    writeFileSync(join(site, "build.js"), builds[bundler]());
    const { stdout } = await run(process.execPath, ["build.js"], { cwd: site, env: plainEnvironment() });
    expect(stdout).toContain("[tintype] Pictures stay on this computer. 1 picture:");
    const built = readFileSync(join(site, "dist/photo.jpg"));
    expect([...built.subarray(0, 2)]).toEqual([0xff, 0xd8]);
    expect(built.length).toBeLessThan(photo.length);
    expect(readFileSync(join(site, "dist/main.js"), "utf8")).toContain("photo.jpg");
  },
  120_000,
);

test("Rollup's own asset plugin writes its pictures by itself: they are compressed too, and no others of the folder", async () => {
  const site = join(packed.folder, "site-rollup-url");
  mkdirSync(join(site, "dist"), { recursive: true });
  const photo = await drawnJpeg({ width: 300, height: 200, seed: 15 });
  writeFileSync(join(site, "dist", "earlier.jpg"), photo);
  writeFileSync(join(site, "photo.jpg"), photo);
  writeFileSync(join(site, "main.js"), 'import photo from "./photo.jpg";\nconsole.log(photo);\n');
  writeFileSync(
    join(site, "build.js"),
    `import { setTimeout } from "node:timers/promises";
import url from ${JSON.stringify(pathToFileURL(tool("@rollup/plugin-url/dist/es/index.js")).href)};
import { rollup } from ${JSON.stringify(pathToFileURL(tool("rollup/dist/es/rollup.js")).href)};
import tintype from "@tintype/unplugin/rollup";
await setTimeout(20); // the times of files are coarse
const plugins = [url({ limit: 0, fileName: "[name][extname]" }), tintype(${unpluginOptions("rollup-url")})];
const bundle = await rollup({ input: "main.js", plugins });
await bundle.write({ dir: "dist" });
`,
  );
  const { stdout } = await run(process.execPath, ["build.js"], { cwd: site, env: plainEnvironment() });
  expect(stdout).toContain("[tintype] Pictures stay on this computer. 1 picture of");
  expect(readFileSync(join(site, "dist", "photo.jpg")).length).toBeLessThan(photo.length);
  expect(readFileSync(join(site, "dist", "earlier.jpg")).equals(photo)).toBe(true);
}, 120_000);

test("a strict build fails where the server is down, another one warns, and a build without pictures says so", async () => {
  const site = join(packed.folder, "site-strict");
  mkdirSync(site, { recursive: true });
  writeFileSync(join(site, "photo.jpg"), await drawnJpeg({ width: 30, height: 20, seed: 16 }));
  writeFileSync(join(site, "index.html"), '<!doctype html><title>Page</title><img src="./photo.jpg" alt="A photo">');
  const build = (options: object) => {
    const all = {
      ...options,
      cache: join(room, "strict-cache"),
      server: { origin: "http://127.0.0.1:9", key: "tt_live_0" },
    };
    writeFileSync(
      join(site, "vite.config.js"),
      `import tintype from "@tintype/unplugin/vite";
export default { plugins: [tintype(${JSON.stringify(all)})], build: { assetsInlineLimit: 0 } };
`,
    );
    return run(process.execPath, [tool("vite/bin/vite.js"), "build"], { cwd: site, env: plainEnvironment() });
  };
  await expect(build({ strict: true })).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining("1 picture could not be compressed."),
  });
  expect((await build({})).stderr).toContain("stays as it is");
  writeFileSync(join(site, "index.html"), "<!doctype html><title>Page</title>");
  expect((await build({ strict: true })).stdout).toContain("[tintype] 0 pictures.");
}, 240_000);

test("the hook that Astro calls after a build makes the pictures of the site smaller", async () => {
  const site = join(packed.folder, "site-astro");
  mkdirSync(join(site, "dist/_astro"), { recursive: true });
  const photo = await drawnJpeg({ width: 300, height: 200, seed: 12 });
  writeFileSync(join(site, "dist/_astro/photo.jpg"), photo);
  writeFileSync(
    join(site, "build.js"),
    `import tintype from "@tintype/unplugin/astro";
const { hooks } = tintype(${unpluginOptions("astro")});
const logger = { info: console.log, warn: console.warn };
await hooks["astro:build:done"]({ dir: new URL("./dist/", import.meta.url), logger });
`,
  );
  const { stdout } = await run(process.execPath, ["build.js"], { cwd: site, env: plainEnvironment() });
  expect(stdout).toContain("Pictures stay on this computer. 1 picture of");
  expect(readFileSync(join(site, "dist/_astro/photo.jpg")).length).toBeLessThan(photo.length);
}, 120_000);
