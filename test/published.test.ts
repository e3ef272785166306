import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

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
