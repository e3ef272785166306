import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { drawnJpeg } from "../../packages/toolkit/src/testing/drawn-jpeg.ts";
import { checkPackage } from "./check-package.ts";
import { installPacked, type Packed, plainEnvironment } from "./pack.ts";
import { filesOf, type ImportedSet, setOptions } from "./web-set.ts";

const run = promisify(execFile);
const tool = (name: string) => fileURLToPath(new URL(`../../node_modules/${name}`, import.meta.url));

let packed: Packed;
let room: string;
beforeAll(async () => {
  packed = await installPacked("@tintype/unplugin");
  room = mkdtempSync(join(tmpdir(), "tintype-unplugin-"));
});
afterAll(() => {
  packed.remove();
  rmSync(room, { recursive: true, force: true });
});

test("the plugin has all it needs, and publint and are-the-types-wrong find nothing", () =>
  checkPackage(packed, "@tintype/unplugin"));

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
});

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
});

const unpluginOptions = (name: string) =>
  JSON.stringify({ compress: { quality: 60 }, cache: join(room, `${name}-cache`), concurrency: 1 });

/** A build script for each bundler: `main.js` imports `photo.jpg`, and the output goes to `dist`. */
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
    'There is no option "quality". There are: compress, webSet, include, exclude, cache, concurrency, server, strict.',
  ],
  ["{ compress: { qualty: 60 } }", 'There is no option of compress "qualty". Did you mean "quality"?'],
])("the options %s end the build with a sentence", async (options, sentence) => {
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
});

test.each(["webpack", "rollup"] as const)("a build of %s comes out with smaller pictures", async (bundler) => {
  const site = join(packed.folder, `site-${bundler}`);
  mkdirSync(site);
  const photo = await drawnJpeg({ width: 300, height: 200, seed: 11 });
  writeFileSync(join(site, "photo.jpg"), photo);
  // webpack's asset names include the query, as with its defaults.
  const query = bundler === "webpack" ? "?v=2" : "";
  writeFileSync(join(site, "main.js"), `import photo from "./photo.jpg${query}";\nconsole.log(photo);\n`);
  writeFileSync(join(site, "build.js"), builds[bundler]());
  const { stdout } = await run(process.execPath, ["build.js"], { cwd: site, env: plainEnvironment() });
  expect(stdout).toContain("[tintype] Pictures stay on this computer. 1 picture:");
  const built = readFileSync(join(site, "dist/photo.jpg"));
  expect([...built.subarray(0, 2)]).toEqual([0xff, 0xd8]);
  expect(built.length).toBeLessThan(photo.length);
  expect(readFileSync(join(site, "dist/main.js"), "utf8")).toContain("photo.jpg");
});

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
});

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
});

/** A module that imports a set and stores the result in a global. */
const importing = `import set from "./photo.jpg?web-set&widths=40,80&alt=A%20%22boat%22";
globalThis.imported = set;
`;
const setBuilds = {
  webpack: (options: string) => `import { join } from "node:path";
import webpack from ${JSON.stringify(pathToFileURL(tool("webpack/lib/index.js")).href)};
import tintype from "@tintype/unplugin/webpack";
const rules = [{ test: /[.]jpg$/, type: "asset/resource" }];
const output = { path: join(import.meta.dirname, "dist"), publicPath: "/" };
const cache = { type: "filesystem", cacheDirectory: join(import.meta.dirname, "kept") };
const settings = { mode: "production", context: import.meta.dirname, entry: "./main.js", output, cache, module: { rules } };
const compiler = webpack({ ...settings, plugins: [tintype(${options})] });
compiler.run((problem, stats) => {
  if (problem ?? stats.hasErrors()) throw problem ?? new Error(stats.toString());
  compiler.close(() => {});
});
`,
  rollup: (options: string) => `
import { rollup } from ${JSON.stringify(pathToFileURL(tool("rollup/dist/es/rollup.js")).href)};
import tintype from "@tintype/unplugin/rollup";
const bundle = await rollup({ input: "main.js", plugins: [tintype(${options})] });
await bundle.write({ dir: "dist", entryFileNames: "main.js" });
`,
  vite: (options: string) => `
import { build } from ${JSON.stringify(pathToFileURL(tool("vite/dist/node/index.js")).href)};
import tintype from "@tintype/unplugin/vite";
const rolldownOptions = { input: "main.js", output: { entryFileNames: "main.js" } };
await build({ configFile: false, plugins: [tintype(${options})], build: { rolldownOptions } });
`,
};

test.each(["webpack", "rollup", "vite"] as const)(
  "a module of %s imports a picture as its web set, whose files are built as they are",
  async (bundler) => {
    const site = join(packed.folder, `site-set-${bundler}`);
    mkdirSync(site);
    writeFileSync(join(site, "photo.jpg"), await drawnJpeg({ width: 120, height: 80, seed: 17 }));
    writeFileSync(join(site, "main.js"), importing);
    const options = JSON.stringify({ ...setOptions, cache: join(room, `set-${bundler}`), concurrency: 1 });
    writeFileSync(join(site, "build.mjs"), setBuilds[bundler](options));
    const build = async () => {
      rmSync(join(site, "dist"), { recursive: true, force: true });
      const { stdout: said } = await run(process.execPath, ["build.mjs"], { cwd: site, env: plainEnvironment() });
      const { stdout } = await run(
        process.execPath,
        [
          "--input-type=module",
          "-e",
          'await import("./dist/main.js"); console.log(JSON.stringify(globalThis.imported))',
        ],
        { cwd: site, env: plainEnvironment() },
      );
      const set = JSON.parse(stdout) as ImportedSet;
      const placed = filesOf(set).map((address) =>
        address.startsWith("file:") ? fileURLToPath(address) : join(site, "dist", address),
      );
      return { said, set, bytes: placed.map((path) => readFileSync(path)) };
    };
    const { said, set, bytes } = await build();
    expect(said).toContain("[tintype] photo.jpg became a web set: 6 files, ");
    expect(set.sources.map(({ type }) => type)).toEqual(["image/avif", "image/webp"]);
    expect(set.img).toMatchObject({ width: 80, height: 53, alt: 'A "boat"' });
    expect(set.placeholder).toMatch(/^data:image[/]webp;base64,/);
    expect(set.html).toContain(`<source type="image/avif" srcset="${set.sources[0]?.srcset}" sizes="100vw">`);
    expect(set.html).toContain('alt="A &quot;boat&quot;"');
    const sizes = await Promise.all(bytes.map(async (one) => (await sharp(one).metadata()).width));
    expect(sizes).toEqual([40, 80, 40, 80, 40, 80]);
    // Not compressed again, even if the bundler has cached the module.
    const again = await build();
    expect(said + again.said).not.toMatch(/Pictures stay on this computer[.]|0 pictures/);
    expect(again.bytes.map((one, at) => one.equals(bytes[at] ?? Buffer.alloc(0)))).not.toContain(false);
  },
);

test("imports of web sets have types, with options and without", async () => {
  const site = join(packed.folder, "site-types");
  mkdirSync(site);
  writeFileSync(
    join(site, "page.ts"),
    `import set from "./photo.jpg?web-set";
import wide from "./wide.png?widths=800,1600&sizes=50vw&web-set";
const markup: string = set.html + wide.sources[0]?.srcset;
// @ts-expect-error a set has no such part
export const wrong = wide.hmtl;
export default markup;
`,
  );
  const compilerOptions = { strict: true, noEmit: true, types: ["@tintype/unplugin/client"], lib: ["ES2022", "DOM"] };
  for (const module of [
    { module: "ESNext", moduleResolution: "Bundler" },
    { module: "NodeNext", moduleResolution: "NodeNext" },
  ]) {
    const settings = { compilerOptions: { ...compilerOptions, ...module }, files: ["page.ts"] };
    writeFileSync(join(site, "tsconfig.json"), JSON.stringify(settings));
    const said = await run(process.execPath, [tool("typescript/bin/tsc"), "-p", site]).then(
      () => "",
      (failed: { stdout: string }) => failed.stdout,
    );
    expect(said).toBe("");
  }
});

test("in Vite's development server the picture itself stands for its set", async () => {
  const site = join(packed.folder, "site-set-development");
  mkdirSync(site);
  writeFileSync(join(site, "photo.jpg"), await drawnJpeg({ width: 120, height: 80, seed: 18 }));
  await sharp(join(site, "photo.jpg")).tiff().toFile(join(site, "photo.tiff"));
  writeFileSync(join(site, "main.js"), importing);
  writeFileSync(join(site, "print.js"), importing.replace("photo.jpg", "photo.tiff"));
  writeFileSync(
    join(site, "serve.mjs"),
    `import { createServer } from ${JSON.stringify(pathToFileURL(tool("vite/dist/node/index.js")).href)};
import tintype from "@tintype/unplugin/vite";
const server = await createServer({ configFile: false, plugins: [tintype()], server: { middlewareMode: true }, logLevel: "error" });
await server.ssrLoadModule("/main.js");
console.log(JSON.stringify(globalThis.imported));
await server.ssrLoadModule("/print.js");
console.log(JSON.stringify(globalThis.imported));
await server.close();
`,
  );
  const { stdout } = await run(process.execPath, ["serve.mjs"], { cwd: site, env: plainEnvironment() });
  const [set, print] = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as ImportedSet) as [ImportedSet, ImportedSet]; // two lines
  expect(set.img).toMatchObject({ src: "/photo.jpg", width: 120, height: 80, alt: 'A "boat"' });
  expect(set.sources).toEqual([]);
  expect(set.html).toContain('<img src="/photo.jpg"');
  // A format that Vite itself does not know.
  expect(print.img).toMatchObject({ src: "/photo.tiff", width: 120, height: 80 });
});

test("an import of a set that cannot be made ends the build with a sentence", async () => {
  const site = join(packed.folder, "site-set-wrong");
  mkdirSync(site);
  writeFileSync(join(site, "photo.jpg"), await drawnJpeg({ width: 30, height: 20, seed: 19 }));
  writeFileSync(join(site, "build.mjs"), setBuilds.rollup("{}"));
  const build = (query: string) => {
    writeFileSync(join(site, "main.js"), `import set from "./photo.jpg?web-set${query}";\nconsole.log(set);\n`);
    return run(process.execPath, ["build.mjs"], { cwd: site, env: plainEnvironment() });
  };
  await expect(build("&widths=0")).rejects.toMatchObject({
    stderr: expect.stringContaining("The widths must be"),
  });
  await expect(build("&width=40")).rejects.toMatchObject({ stderr: expect.stringContaining('Did you mean "widths"?') });
  writeFileSync(join(site, "photo.jpg"), "no picture");
  await expect(build("")).rejects.toMatchObject({ stderr: expect.stringContaining("cannot become a web set. ") });
});
