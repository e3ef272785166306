import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";

const notCopied = new Set(["node_modules", "dist", ".vite-temp", ".tsbuild"]);

/** A folder with the packages' sources and the given files, in which every import resolves. The caller removes it. */
export function copyWorkspace(files: readonly string[]): string {
  const copy = mkdtempSync(join(tmpdir(), "tintype-workspace-"));
  chmodSync(copy, 0o755); // Engines of a server that runs as root read it as a different user.
  const packages = readdirSync("packages");
  for (const name of files) cpSync(name, join(copy, name), { recursive: true });
  for (const name of packages)
    cpSync(`packages/${name}`, join(copy, "packages", name), {
      recursive: true,
      filter: (path) => !notCopied.has(basename(path)) && path !== "packages/web/build",
    });
  linkModules(copy, packages);
  return copy;
}

/** Links every installed package into the copy. Links to workspace packages point into the copy. */
function linkModules(copy: string, packages: readonly string[]) {
  mkdirSync(join(copy, "node_modules/@tintype"), { recursive: true });
  for (const name of readdirSync("node_modules"))
    if (name !== "@tintype") symlinkSync(resolve("node_modules", name), join(copy, "node_modules", name));
  for (const name of packages) symlinkSync(join(copy, "packages", name), join(copy, "node_modules/@tintype", name));
  for (const name of ["contract", "web"]) {
    mkdirSync(join(copy, "packages", name, "node_modules"));
    for (const module of readdirSync(`packages/${name}/node_modules`))
      symlinkSync(
        resolve("packages", name, "node_modules", module),
        join(copy, "packages", name, "node_modules", module),
      );
  }
}
