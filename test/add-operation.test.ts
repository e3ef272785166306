import { execFile } from "node:child_process";
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isDeep } from "../packages/server/src/testing/deep.ts";
import { copyWorkspace } from "./workspace-copy.ts";

// ARCHITECTURE.md, "How to add an operation": adds the files of test/fixtures/rotate, and of test/fixtures/stamp, which takes an auxiliary
// file, and a line for each in each registry to a copy of the packages. The copy must compile, and the operations' own tests must pass. A commit compiles the projects that the operations are part of, and
// runs the tests of one of the two on the server, the other one the next day; `npm run verify:deep` runs both, compiles all that depend on
// them, and shows that a registry without its line does not compile.

const added = ["rotate", "stamp"];
let copy: string;

beforeAll(() => {
  copy = copyWorkspace([
    "package.json",
    "tsconfig.json",
    "tsconfig.base.json",
    "vitest.config.ts",
    "scripts",
    // What `npm run typecheck` found of all that does not change.
    ...(existsSync(".tsbuild") ? [".tsbuild"] : []),
    "test/global-setup.ts",
    "test/global-setup-of-servers.ts",
    "test/tsconfig.json",
  ]);
  for (const name of added) cpSync(`test/fixtures/${name}`, copy, { recursive: true });
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

/** Registers the operations before `convert`, as a developer would. */
function register(registry: string) {
  const path = join(copy, "packages", registry);
  const source = readFileSync(path, "utf8");
  const entered = source.replace(/^( {2})(convert[:,].*)$/m, `$1${added.join(",\n$1")},\n$1$2`);
  expect(entered).not.toBe(source);
  const imports = added.map((name) => `import { ${name} } from "./${name}.ts";\n`);
  writeFileSync(path, imports.join("") + entered);
}

const tool = (name: string) => resolve("node_modules/.bin", name);

async function run(command: string, args: string[], cwd: string) {
  const environment = Object.entries(process.env).filter(
    ([name]) => !/^(VITEST|TINTYPE_TEST|TEST$|NODE_ENV$)/.test(name),
  );
  return promisify(execFile)(command, args, { cwd, env: Object.fromEntries(environment), maxBuffer: 1e7 }).then(
    ({ stdout }) => ({ isDone: true, said: stdout }),
    (failed: { stdout: string; stderr: string }) => ({ isDone: false, said: failed.stdout + failed.stderr }),
  );
}

const projects = ["imaging", ...(isDeep ? ["server", "web", "client"] : [])].map((name) => `packages/${name}`);

test("an operation is its own files and a line in each registry: everything else follows", async () => {
  register("contract/src/facts/operations/index.ts");
  register("contract/src/reference/operation-texts.ts");
  if (isDeep) {
    const halfDone = await run(tool("tsc"), ["-b", "packages/imaging"], copy);
    expect(halfDone.said).toMatch(/rotate, stamp|Property 'rotate' is missing/);
  }
  register("imaging/src/operations/index.ts");
  const generated = await run(process.execPath, ["scripts/generate-client.mjs"], copy);
  expect(generated, generated.said).toMatchObject({ isDone: true });
  const compiled = await run(tool("tsc"), ["-b", ...projects], copy);
  expect(compiled, compiled.said).toMatchObject({ isDone: true });

  const onServer = isDeep ? added : [added[new Date().getUTCDate() % added.length]];
  const files = [
    ...onServer.map((name) => `packages/server/src/features/jobs/order/${name}.test`),
    ...["web/app/features/studio/rotate", "cli/src/stamp", "client/src/rotate"].map((name) => `packages/${name}.test`),
  ];
  const tested = await run(tool("vitest"), ["run", ...files, "--root", copy, "--maxWorkers=1"], copy);
  expect(tested, tested.said).toMatchObject({ isDone: true });
  expect(tested.said).toMatch(new RegExp(`Test Files[^\\n]*[^0-9]${files.length} passed`));
}, 600_000);
