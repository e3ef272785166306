import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readSettings } from "./settings.ts";

const room = mkdtempSync(join(tmpdir(), "tintype-settings-"));
afterAll(() => rmSync(room, { recursive: true, force: true }));
let count = 0;
const folderWith = (name: string, content: unknown): string => {
  count += 1;
  const folder = join(room, `${count}`, "deep");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "..", name), JSON.stringify(content));
  return folder;
};

test("the environment wins over the nearest file above", async () => {
  const folder = folderWith("tintype.config.json", { out: "dist", suffix: ".min", concurrency: 2 });
  expect(await readSettings(folder, { TINTYPE_OUT: "public", TINTYPE_CONCURRENCY: "3" })).toMatchObject({
    out: "public",
    suffix: ".min",
    concurrency: 3,
  });
});

test("folders of a configuration lie beside it", async () => {
  const folder = folderWith("tintype.config.json", { out: "dist", cache: "node_modules/.cache" });
  expect(await readSettings(folder, {})).toMatchObject({
    out: join(folder, "..", "dist"),
    cache: join(folder, "..", "node_modules", ".cache"),
  });
});

test("package.json holds the settings and recipes too", async () => {
  const recipes = { shop: [{ resize: { width: 1200 } }, { convert: { target_format: "webp" } }] };
  const folder = folderWith("package.json", { name: "x", tintype: { recipes } });
  const [shop] = (await readSettings(folder, {})).recipes;
  expect(shop?.steps.map(({ operation }) => operation)).toEqual(["resize", "convert"]);
});

test.each([
  [{ concurency: 2 }, 'There is no setting "concurency". Did you mean "concurrency"?'],
  [{ out: 5 }, '"out" must be of type string.'],
  [{ concurrency: 0 }, "Please give concurrency as 1 to 64."],
  [{ operations: { compres: {} } }, 'There is no operation "compres".'],
  [{ recipes: { shop: [{ resise: {} }] } }, 'There is no operation "resise". Did you mean "resize"?'],
])("%j is refused with the file's name and the reason", async (config, reason) => {
  const folder = folderWith("tintype.config.json", config);
  const refusal = readSettings(folder, {});
  await expect(refusal).rejects.toMatchObject({ code: "invalid-request", detail: expect.stringContaining(reason) });
  await expect(refusal).rejects.toMatchObject({ detail: expect.stringContaining("tintype.config.json") });
});

test("a file that is no JSON is named", async () => {
  const folder = folderWith("tintype.config.json", {});
  const path = join(folder, "..", "tintype.config.json");
  writeFileSync(path, "{");
  await expect(readSettings(folder, {})).rejects.toMatchObject({ detail: expect.stringContaining(`${path}: `) });
});
