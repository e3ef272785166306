import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { drawnJpeg } from "../../packages/toolkit/src/testing/drawn-jpeg.ts";
import { installPacked, npmInstall, type Packed, plainEnvironment } from "./pack.ts";
import { filesOf, type ImportedSet, setOptions } from "./web-set.ts";

// Builds by frameworks, which are downloaded: npm run verify:deep. Each commit builds with the bundlers below them: unplugin.test.ts.

const run = promisify(execFile);

let packed: Packed;
let room: string;
beforeAll(async () => {
  packed = await installPacked("@tintype/unplugin");
  room = mkdtempSync(join(tmpdir(), "tintype-frameworks-"));
});
afterAll(() => {
  packed.remove();
  rmSync(room, { recursive: true, force: true });
});

const astro = "7.3.5";

test("Astro with the integration alone builds imported web sets, and compresses its other pictures", async () => {
  const site = join(packed.folder, "site-astro");
  mkdirSync(join(site, "src/pages"), { recursive: true });
  mkdirSync(join(site, "public"));
  await npmInstall(packed.folder, [`astro@${astro}`]);
  const shared = await drawnJpeg({ width: 300, height: 200, seed: 12 });
  writeFileSync(join(site, "public/shared.jpg"), shared);
  writeFileSync(join(site, "src/photo.jpg"), await drawnJpeg({ width: 120, height: 80, seed: 17 }));
  writeFileSync(join(site, "package.json"), '{ "type": "module" }');
  writeFileSync(
    join(site, "astro.config.mjs"),
    `import tintype from "@tintype/unplugin/astro";
export default { integrations: [tintype(${JSON.stringify({ ...setOptions, cache: join(room, "astro"), concurrency: 1 })})] };
`,
  );
  writeFileSync(
    join(site, "src/pages/index.astro"),
    `---
import set from "../photo.jpg?web-set&widths=40,80&alt=A%20%22boat%22";
---
<title>Page</title><Fragment set:html={set.html} /><script id="set" type="application/json" set:html={JSON.stringify(set)} />
`,
  );
  const build = async () => {
    const environment = { ...plainEnvironment(), ASTRO_TELEMETRY_DISABLED: "1" };
    const command = [join(packed.folder, "node_modules/astro/bin/astro.mjs"), "build"];
    const { stdout } = await run(process.execPath, command, { cwd: site, env: environment });
    const page = readFileSync(join(site, "dist/index.html"), "utf8");
    const set = JSON.parse(/type="application[/]json">(.*?)<[/]script>/.exec(page)?.[1] ?? "") as ImportedSet;
    return { said: stdout, page, set, bytes: filesOf(set).map((path) => readFileSync(join(site, "dist", path))) };
  };
  const { said, page, set, bytes } = await build();
  expect(said).toContain("photo.jpg became a web set: 6 files, ");
  expect(page).toContain(`<source type="image/avif" srcset="${set.sources[0]?.srcset}" sizes="100vw">`);
  expect(page).not.toContain("undefined");
  const sizes = await Promise.all(bytes.map(async (one) => (await sharp(one).metadata()).width));
  expect(sizes).toEqual([40, 80, 40, 80, 40, 80]);
  expect(said).toContain("Pictures stay on this computer. 1 picture of");
  expect(readFileSync(join(site, "dist/shared.jpg")).length).toBeLessThan(shared.length);
});

const next = ["next@16.4.6", "react@19.3.1", "react-dom@19.3.1"];

test("Next.js builds imported web sets with webpack, in pages of servers and of browsers, where it serves files", async () => {
  const site = join(packed.folder, "site-next");
  mkdirSync(join(site, "app/live"), { recursive: true });
  await npmInstall(packed.folder, next);
  writeFileSync(join(site, "photo.jpg"), await drawnJpeg({ width: 120, height: 80, seed: 17 }));
  writeFileSync(
    join(site, "next.config.mjs"),
    `import tintype from "@tintype/unplugin/webpack";
const plugin = () => tintype(${JSON.stringify({ ...setOptions, cache: join(room, "next"), concurrency: 1 })});
export default { output: "export", webpack(config) { config.plugins.push(plugin()); return config; } };
`,
  );
  writeFileSync(
    join(site, "app/layout.jsx"),
    "export default ({ children }) => <html lang='en'><body>{children}</body></html>;\n",
  );
  const page = (photo: string) => `import set from "${photo}?web-set&widths=40,80";
export default function Page() {
  return <script id="set" type="application/json" dangerouslySetInnerHTML={{ __html: JSON.stringify(set) }} />;
}
`;
  writeFileSync(join(site, "app/page.jsx"), page("../photo.jpg"));
  writeFileSync(join(site, "app/live/page.jsx"), `"use client";\n${page("../../photo.jpg")}`);
  await run(process.execPath, [join(packed.folder, "node_modules/next/dist/bin/next"), "build", "--webpack"], {
    cwd: site,
    env: { ...plainEnvironment(), NEXT_TELEMETRY_DISABLED: "1" },
  });
  for (const name of ["index.html", "live.html"]) {
    const html = readFileSync(join(site, "out", name), "utf8");
    const set = JSON.parse(/type="application[/]json">(.*?)<[/]script>/.exec(html)?.[1] ?? "") as ImportedSet;
    const bytes = filesOf(set).map((path) => readFileSync(join(site, "out", path)));
    const sizes = await Promise.all(bytes.map(async (one) => (await sharp(one).metadata()).width));
    expect(sizes, name).toEqual([40, 80, 40, 80, 40, 80]);
  }
}, 280_000);
