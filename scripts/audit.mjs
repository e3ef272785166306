// npm run audit: checks the packages of package-lock.json against scripts/advisories.json, without a network; `npm
// run verify` does the same. With `--registry` it also asks the registry, if that answers `npm audit`.
//
// An advisory that concerns one of our packages is added to the list when we learn of it, with the versions that it
// names.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import semver from "semver";

const root = join(import.meta.dirname, "..");
const read = (path) => JSON.parse(readFileSync(path, "utf8"));

/** The lockfile's packages that an advisory of the list names: `{ id, name, version, title }`. */
function findAdvisories(lock, advisories) {
  const installed = Object.entries(lock.packages)
    .filter(([path]) => path.includes("node_modules/"))
    .map(([path, { name, version }]) => ({ name: name ?? path.split("node_modules/").at(-1), version }));
  return advisories.flatMap(({ id, package: name, versions, title }) =>
    installed
      .filter(
        (one) => one.name === name && semver.satisfies(one.version ?? "0.0.0", versions, { includePrerelease: true }),
      )
      .map(({ version }) => ({ id, name, version, title })),
  );
}

function askRegistry() {
  const { stdout } = spawnSync("npm", ["audit", "--omit=dev", "--json"], { cwd: root, encoding: "utf8" });
  const { vulnerabilities, message } = JSON.parse(stdout || "{}");
  if (!vulnerabilities) {
    console.log(`The registry knows of no advisories (${message ?? "no answer"}): the list alone was looked through.`);
    return [];
  }
  return Object.values(vulnerabilities).map(({ name, severity, range }) => ({
    id: severity,
    name,
    version: range,
    title: "npm audit",
  }));
}

const { values } = parseArgs({
  options: {
    registry: { type: "boolean", default: false },
    lock: { type: "string", default: join(root, "package-lock.json") },
    list: { type: "string", default: join(root, "scripts/advisories.json") },
  },
});
const advisories = read(values.list);
const found = [...findAdvisories(read(values.lock), advisories), ...(values.registry ? askRegistry() : [])];
for (const { id, name, version, title } of found) console.error(`${name} ${version}: ${title} (${id})`);
console.log(`${advisories.length} advisories of the list, ${found.length} that concern an installed package.`);
process.exit(found.length > 0 ? 1 : 0);
