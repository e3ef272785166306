// npm run sandbox -- advance 30d: moves the clock of a server with the payment sandbox forward, to trigger renewals,
// failed charges and ends of periods. The server reads the file within a second, and acts within five.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

const usage = "npm run sandbox -- advance 30d   (also 90m, 12h, 2w)\nnpm run sandbox -- now";
const unitsMs = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 };
const path = join(resolve(process.env.TINTYPE_DATA || ".tintype"), "clock-offset-ms");

function readOffset() {
  try {
    return Number(readFileSync(path, "utf8")) || 0;
  } catch {
    return 0;
  }
}

const [command, howFar = ""] = process.argv.slice(2);
const [, count, unit] = /^(\d+)([mhdw])$/.exec(howFar) ?? [];
if (command === "advance" && count) {
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, String(readOffset() + Number(count) * unitsMs[unit]));
} else if (command !== "now") {
  process.stderr.write(`${usage}\n`);
  process.exit(1);
}
process.stdout.write(`The server's clock: ${new Date(Date.now() + readOffset()).toISOString()}\n`);
