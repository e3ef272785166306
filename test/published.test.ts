import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { notesOf } from "../scripts/release-notes.mjs";

const read = (path: string): Record<string, unknown> => JSON.parse(readFileSync(path, "utf8"));
const published = readdirSync("packages")
  .map((folder) => ({ folder, manifest: read(`packages/${folder}/package.json`) }))
  .filter(({ manifest }) => manifest["private"] !== true);

test("packages are published under the scope alone, with their place in the repository and npm's provenance", () => {
  expect(published.map(({ manifest }) => manifest["name"])).toEqual([
    "@tintype/cli",
    "@tintype/client",
    "@tintype/mcp",
    "@tintype/unplugin",
  ]);
  for (const { folder, manifest } of published) {
    expect(manifest["repository"]).toMatchObject({ type: "git", directory: `packages/${folder}` });
    expect(manifest["publishConfig"]).toEqual({ access: "public", provenance: true });
  }
  expect(read("packages/cli/package.json")["bin"]).toEqual({ tintype: "dist/tintype.js" });
});

test("the entry for the registry of MCP servers names the package as it is", () => {
  const { name, version, mcpName } = read("packages/mcp/package.json");
  const server = read("packages/mcp/server.json");
  expect(server).toMatchObject({ name: mcpName, version, packages: [{ identifier: name, version }] });
  expect(String(server["description"]).length).toBeLessThanOrEqual(100);
});

test("all packages, what they need of each other and the lock file have one version, which the changelog has a dated section for", () => {
  const { version } = read("package.json");
  const lock = read("package-lock.json") as { packages: Record<string, Record<string, unknown>> };
  for (const folder of readdirSync("packages")) {
    const manifest = read(`packages/${folder}/package.json`);
    const needed = Object.entries({ ...(manifest["dependencies"] ?? {}), ...(manifest["devDependencies"] ?? {}) });
    const ours = needed.filter(([name]) => name.startsWith("@tintype/"));
    expect([manifest["version"], ...ours.map(([, wanted]) => wanted)], folder).toEqual(
      Array.from({ length: ours.length + 1 }, () => version),
    );
    expect(lock.packages[`packages/${folder}`]?.["version"], folder).toBe(version);
  }
  expect(lock.packages[""]?.["version"]).toBe(version);
  const headings = readFileSync("CHANGELOG.md", "utf8").match(/^## .*$/gm) ?? [];
  expect(headings[0]).toBe("## Unreleased");
  expect(headings[1]).toMatch(new RegExp(`^## ${version} \\(\\d{4}-\\d\\d-\\d\\d\\)$`));
});

test("pages name the tarballs of this version", () => {
  const { version } = read("package.json");
  // The changelog still names earlier versions.
  const listed = execFileSync("git", ["ls-files", "*.md", "*.mdx", ":!CHANGELOG.md"], { encoding: "utf8" });
  const pages = listed.trim().split("\n");
  const wrong = pages.flatMap((path) =>
    [...readFileSync(path, "utf8").matchAll(/tintype-[a-z]+-(\d[\w.]*)\.tgz/g)].flatMap(([name, named]) =>
      named === version ? [] : [`${path}: ${name}`],
    ),
  );
  expect(wrong).toEqual([]);
});

test("a release has its section of the changelog as notes, and a version without one is refused", () => {
  const changelog =
    "# Changelog\n\n## Unreleased\n\n- c\n\n## 1.10.0 (2027-01-02)\n\n- b\n- b2\n\n## 1.1.0 (2027-01-01)\n\n- a\n";
  expect(notesOf(changelog, "1.10.0")).toBe("- b\n- b2\n");
  expect(notesOf(changelog, "1.1.0")).toBe("- a\n");
  for (const version of ["1.1", "2.0.0", "Unreleased"]) expect(() => notesOf(changelog, version)).toThrow("no section");
  expect(notesOf(readFileSync("CHANGELOG.md", "utf8"), String(read("package.json")["version"])).length).toBeGreaterThan(
    500,
  );
});

test("a tag is released only once it is verified: packages with provenance, the image for both architectures with its bill of materials", () => {
  type Step = { uses?: string; run?: string; with?: Record<string, unknown> };
  type Workflow = { on: object; jobs: Record<string, { needs?: string; steps: Step[] }> };
  const { on, jobs } = parse(readFileSync(".github/workflows/release.yml", "utf8")) as Workflow;
  expect(on).toEqual({ push: { tags: ["v*"] } });
  expect(jobs["verify"]?.steps.some(({ run = "" }) => run.endsWith("npm run verify"))).toBe(true);
  expect([jobs["packages"]?.needs, jobs["image"]?.needs]).toEqual(["verify", "verify"]);
  expect(jobs["packages"]?.steps.map(({ run }) => run)).toContain("npm run release");
  const built = jobs["image"]?.steps.find(({ uses }) => uses?.startsWith("docker/build-push-action@"))?.with;
  expect(built).toMatchObject({ platforms: "linux/amd64,linux/arm64", provenance: "mode=max", sbom: true, push: true });
});
