import { execFileSync } from "node:child_process";
import { globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cruise, type ICruiseResult } from "dependency-cruiser";
import { expect, test } from "vitest";
// @ts-expect-error a plain .mjs file without types
import rules from "../.dependency-cruiser.mjs";
import { copyWorkspace } from "./workspace-copy.ts";

const isSource = (path: string) =>
  /^packages\/(cli|client|codecs|contract|imaging|mcp|payment-sandbox|server|toolkit|unplugin)\/src\/.*[.]ts$|^packages\/web\/app\/.*[.]tsx?$/.test(
    path,
  );
async function check(baseDir = process.cwd()) {
  const { output } = await cruise(["packages"], { ...rules.options, baseDir, validate: true, ruleSet: rules });
  const { modules, summary } = output as ICruiseResult;
  return {
    seen: modules
      .map((module) => module.source)
      .filter(isSource)
      .sort(),
    edges: summary.totalDependenciesCruised ?? 0,
    broken: summary.violations.map((v) => `${v.rule.name}: ${v.from} -> ${v.to}`),
  };
}

test("imports follow the declared order, and every source file was looked at", async () => {
  const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "packages"], { encoding: "utf8" })
    .trim()
    .split("\n")
    .filter(isSource)
    .sort();
  const found = await check();
  expect(found.seen).toEqual(files);
  expect(found.edges).toBeGreaterThan(50);
  expect(found.broken).toEqual([]);
});

const wrongImports = [
  ["packages/imaging/src/wrong-import.ts", "../../server/src/main.ts", "packages: imaging is below"],
  ["packages/codecs/src/wrong-import.ts", "../../contract/src/index.ts", "the codecs stand alone"],
  ["packages/codecs/src/wrong-import.ts", "sharp", "the codecs stand alone"],
  ["packages/codecs/src/wrong-import.test.ts", "../../imaging/src/index.ts", "the codecs' tests stand alone too"],
  ["packages/codecs/src/wrong-import.ts", "node:fs", "the codecs run in browsers"],
  ["packages/codecs/src/raster/wrong-import.ts", "../entropy/huffman.ts", "codecs: raster/"],
  ["packages/codecs/src/entropy/wrong-import.ts", "../jpeg/segments.ts", "codecs: entropy/"],
  [
    "packages/contract/src/facts/wrong-import.ts",
    "../../../codecs/src/index.ts",
    "imaging alone stands on the codecs, and web",
  ],
  ["packages/server/src/platform/wrong-import.ts", "../../../codecs/src/index.ts", "imaging alone stands on"],
  ["packages/web/app/lib/wrong-import.ts", "../../../codecs/src/jpeg/index.ts", "web takes the codecs' header readers"],
  ["packages/imaging/src/raster/wrong-import.ts", "../../../codecs/src/jpeg/segments.ts", "the codecs are imported by"],
  ["packages/payment-sandbox/src/wrong-import.ts", "../../server/src/main.ts", "packages: payment-sandbox is below"],
  ["packages/payment-sandbox/src/wrong-import.ts", "../../imaging/src/index.ts", "the sandbox stands apart"],
  [
    "packages/server/src/features/billing/wrong-import.ts",
    "../../../../payment-sandbox/src/index.ts",
    "only the composition and its adapter know the sandbox",
  ],
  ["packages/contract/src/facts/wrong-import.ts", "../schemas/job.ts", "the contract's facts and api load no schemas"],
  ["packages/web/app/lib/wrong-import.ts", "../../../contract/src/schemas/job.ts", "pages load no schemas"],
  ["packages/web/app/features/studio/state/wrong-import.ts", "../work/perform.ts", "studio: state/ is below"],
  ["packages/web/app/features/studio/state/wrong-import.ts", "../parts/remedies.tsx", "studio: state/ is below"],
  ["packages/web/app/features/studio/state/wrong-import.ts", "../../../ui/button.tsx", "the studio decides without"],
  ["packages/web/app/features/studio/work/wrong-import.ts", "../parts/stage/stage.tsx", "studio: work/ is below"],
  ["packages/web/app/features/studio/parts/wrong-import.ts", "../studio-section.tsx", "studio: parts/ is below"],
  [
    "packages/client/src/wrong-import.ts",
    "../../contract/src/index.ts",
    "the client stands alone: all of it goes into its tarball",
  ],
  ["packages/client/src/wrong-import.ts", "./node-platform.ts", "the client's Node.js part stays out of browsers"],
  ["packages/client/src/wrong-import.ts", "node:fs", "only the client's Node.js part imports Node.js"],
  ["packages/server/src/platform/wrong-import.ts", "../../../client/src/index.ts", "the product's own packages do"],
  ["packages/web/app/lib/wrong-import.ts", "../../../client/src/index.ts", "web takes the client's core only"],
  [
    "packages/web/app/lib/wrong-import.ts",
    "../../../contract/src/reference/operation-texts.ts",
    "pages load no schemas",
  ],
  [
    "packages/server/src/features/jobs/wrong-import.ts",
    "../../platform/work/bullmq.ts",
    "features use ports, not adapters",
  ],
  ["packages/server/src/features/webhooks/wrong-import.ts", "../jobs/tables.ts", "features own their tables"],
  ["packages/server/src/platform/wrong-import.ts", "../features/jobs/tables.ts", "only features read their tables"],
  ["packages/server/src/features/jobs/record/wrong-import.ts", "../limits/places.ts", "jobs: record/ is below"],
  ["packages/server/src/features/jobs/limits/wrong-import.ts", "../queue/store.ts", "jobs: limits/ is below"],
  ["packages/server/src/features/jobs/queue/wrong-import.ts", "../settle/settle.ts", "jobs: queue/ is below"],
  ["packages/server/src/features/jobs/settle/wrong-import.ts", "../deliver/delivery.ts", "jobs: settle/ is below"],
  ["packages/server/src/features/jobs/deliver/wrong-import.ts", "../jobs.ts", "jobs: work/,deliver/ is below"],
  ["packages/server/src/features/jobs/deliver/wrong-import.ts", "../work/worker.ts", "jobs: rooms stand apart"],
  ["packages/server/src/features/jobs/order/wrong-import.ts", "../http/run.ts", "jobs: order/ is below"],
  ["packages/mcp/src/wrong-import.ts", "../../server/src/main.ts", "the tools stand on contract"],
  ["packages/imaging/src/wrong-import.ts", "../../mcp/src/index.ts", "the product does without the tools"],
  ["packages/imaging/src/raster/wrong-import.ts", "../formats/open-source.ts", "imaging: raster/"],
  ["packages/imaging/src/operations/wrong-import.ts", "../formats/jxl/jxl.ts", "imaging: only the registry"],
  ["packages/imaging/src/formats/wrong-import.ts", "./jxl/read.ts", "imaging: a format is read through its module"],
  ["packages/imaging/src/cutout/wrong-import.ts", "../upscale/bounds.ts", "imaging: rooms stand apart"],
] as const;

test("each wrong import turns the check red by its own rule", async () => {
  const probes = Map.groupBy(wrongImports, ([probe]) => probe);
  const copy = copyWorkspace(["tsconfig.base.json"]);
  for (const [probe, rows] of probes)
    writeFileSync(join(copy, probe), rows.map(([, target]) => `import "${target}";\n`).join(""));
  const { broken } = await check(copy).finally(() => rmSync(copy, { recursive: true }));
  for (const [probe, target, rule] of wrongImports) {
    const isThis = (line: string) => line.startsWith(rule) && line.includes(`: ${probe} -> `);
    expect(broken.filter(isThis), `${rule}: ${probe} -> ${target}`).not.toEqual([]);
  }
});

const server = "packages/server/src";
/** The owner of each table: a feature, or the platform. */
const owners = new Map(
  globSync(`${server}/**/tables.ts`).flatMap((path) =>
    [...readFileSync(path, "utf8").matchAll(/pgTable\(\s*"(\w+)"/g)].map(
      ([, table]) => [table, ownerOf(path)] as const,
    ),
  ),
);
const foreignTables = (path: string, text: string) =>
  [...text.matchAll(/\b(?:from|join|into|update)\s+(\w+)\b/g)].flatMap(([, table]) => {
    const owner = owners.get(table);
    return owner === undefined || owner === ownerOf(path) ? [] : [`${path}: ${table} belongs to ${owner}`];
  });
function ownerOf(path: string) {
  return /features\/\w+/.exec(path)?.[0] ?? "platform";
}

test("SQL names no table of another feature", () => {
  expect(owners.size).toBeGreaterThan(25);
  expect(foreignTables(`${server}/features/webhooks/x.ts`, "select 1 from jobs j")).toHaveLength(1);
  const files = globSync(`${server}/**/*.ts`, { exclude: [`${server}/**/*.test.ts`, `${server}/testing/**`] });
  expect(files.flatMap((path) => foreignTables(path, readFileSync(path, "utf8")))).toEqual([]);
});
