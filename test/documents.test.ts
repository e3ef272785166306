import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { errors } from "../packages/contract/src/index.ts";
import { settings } from "../packages/server/src/config.ts";

test("every setting is documented, and no documented one is a ghost", () => {
  const text = readFileSync("docs/configuration.md", "utf8");
  const documented = text
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .flatMap((line) => [...(line.split("|")[1] ?? "").matchAll(/`([A-Z_0-9]+)`/g)].map(([, name]) => name));
  expect(documented.toSorted()).toEqual(Object.keys(settings).toSorted());
});

test("docs/api.md has each error code in its row and column, and no other", () => {
  const rows = readFileSync("docs/api.md", "utf8").matchAll(/^\| (\d{3}) \|(.*)\|(.*)\|$/gm);
  const documented = [...rows].flatMap(([, status, ...columns]) =>
    columns.flatMap((codes, i) =>
      [...codes.matchAll(/`([a-z-]+)`/g)].map(([, code]) => [code, { status: Number(status), retryable: i === 1 }]),
    ),
  );
  const facts = Object.entries(errors).map(([code, { status, retryable }]) => [code, { status, retryable }]);
  expect(documented).toHaveLength(facts.length);
  expect(Object.fromEntries(documented)).toEqual(Object.fromEntries(facts));
});

test("ARCHITECTURE.md names each feature of the server and each file of its composition", () => {
  const text = readFileSync("ARCHITECTURE.md", "utf8");
  const rooms = ["features", "composition"].flatMap((room) => readdirSync(`packages/server/src/${room}`));
  const missing = rooms.filter((name) => !/[.]test[.]ts$/.test(name) && !text.includes(`\`${name}\``));
  expect(missing).toEqual([]);
});

test("bench/README.md names each bench, and no other script", () => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
  const benches = Object.keys(scripts).filter((name) => name === "soak" || name.startsWith("bench:"));
  const named = readFileSync("bench/README.md", "utf8").matchAll(/^\| `(soak|bench:[a-z-]+)\b/gm);
  expect([...named].map(([, name]) => name).toSorted()).toEqual(benches.toSorted());
});
