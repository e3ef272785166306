import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { exitCodes } from "./exit-codes.ts";

/** `tintype serve`: the product is a repository with a site, a database and engines, and is not part of this package. */
export async function serve({ home }: { home?: string }): Promise<number> {
  const named = home ?? process.env["TINTYPE_HOME"];
  const places = named
    ? [resolve(named)]
    : [...above(process.cwd()), ...above(dirname(fileURLToPath(import.meta.url)))];
  const root = places.find(isProduct);
  if (root === undefined) {
    process.stderr.write(
      `tintype: ${named ? `${named} is not a Tintype repository` : "there is no Tintype repository here or in a parent folder"}. The command alone works on pictures and has no server in it.\n` +
        "Clone the repository, and in its folder run: npm run up\n" +
        "From elsewhere: tintype serve --home <folder>\n",
    );
    return exitCodes.usage;
  }
  process.stderr.write(`Starting Tintype from ${root}\n`);
  const child = spawn("npm", ["run", "up", "--silent"], {
    cwd: root,
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  const pass = (signal: NodeJS.Signals) => child.kill(signal);
  process.on("SIGINT", () => {}); // the terminal sends it to the child too
  process.on("SIGTERM", pass);
  return new Promise((done) => {
    child.once("error", () => done(exitCodes.someFailed));
    child.once("exit", (code) => done(code ?? exitCodes.interrupted));
  });
}

function above(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...above(parent)];
}

function isProduct(folder: string): boolean {
  if (!existsSync(join(folder, "packages/server/src/main.ts"))) return false;
  const manifest: unknown = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return manifest instanceof Object && "name" in manifest && manifest.name === "tintype";
}
