import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
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

test("the folder for results of a configuration lies beside it", async () => {
  const folder = folderWith("tintype.config.json", { out: "dist" });
  expect(await readSettings(folder, {})).toMatchObject({ out: join(folder, "..", "dist") });
});

test.each([
  ["..", ".."],
  ["an absolute path", room],
  ["a link", "way-out"],
  ["a folder below a link", "way-out/deep"],
])("a configuration names no folder for results outside its own: %s", async (_, out) => {
  const folder = folderWith("tintype.config.json", { out });
  symlinkSync(room, join(folder, "..", "way-out"));
  const refusal = expect.stringContaining('"out" leads to');
  await expect(readSettings(folder, {})).rejects.toMatchObject({ code: "invalid-request", detail: refusal });
});

test.each(["server", "key", "cache"])(
  "%s is a setting of the person: a project's file that has it is refused, and the refusal says where it goes",
  async (name) => {
    for (const file of ["tintype.config.json", "package.json"]) {
      const config = { [name]: "https://elsewhere.example" };
      const folder = folderWith(file, file === "package.json" ? { tintype: config } : config);
      const detail = expect.stringMatching(`${file}: "${name}" cannot be set in a project's file[.] Set .*TINTYPE_`);
      await expect(readSettings(folder, {})).rejects.toMatchObject({ code: "invalid-request", detail });
    }
  },
);

test("package.json holds the settings and recipes too", async () => {
  const recipes = { shop: [{ resize: { width: 1200 } }, { convert: { target_format: "webp" } }] };
  const folder = folderWith("package.json", { name: "x", tintype: { recipes } });
  const [shop] = (await readSettings(folder, {})).recipes;
  expect(shop?.steps.map(({ operation }) => operation)).toEqual(["resize", "convert"]);
});

test.each([
  [{ concurency: 2 }, 'There is no setting "concurency". Did you mean "concurrency"?'],
  [{ out: 5 }, '"out" must be of type string.'],
  [{ suffix: "/../../x" }, "A suffix is a part of a name, without a slash."],
  [{ concurrency: 0 }, "concurrency must be between 1 and 64."],
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
