// The command against a server, compared with one call for all files: seconds per file. Alternating in one run, on a
// server on this machine. npm run bench:batch [rounds]
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../packages/server/src/platform/clock.ts";
import { startTestApp } from "../packages/server/src/testing/harness.ts";
import { drawnJpeg } from "../packages/toolkit/src/testing/drawn-jpeg.ts";
import { commandFromSource } from "../test/tools/command.ts";
import { median } from "./averages.ts";
import { timed } from "./timed.ts";

const rounds = Number(process.argv[2] ?? 3);
const counts = { call: 200, command: 300 };
const room = mkdtempSync(join(tmpdir(), "tintype-bench-batch-"));
const app = await startTestApp({ clock: systemClock, environment: { RATE_LIMIT_PER_MINUTE: "600" } });
const tintype = commandFromSource(room);

async function newKey(): Promise<string> {
  const person = await app.person("pro");
  const made = await person.call("/api/keys", { json: { name: "Bench", scopes: ["process", "jobs:read"] } });
  return ((await made.json()) as { key: string }).key;
}

let seed = 0;
/** Small pictures, all different, so that the overhead of a call dominates. */
async function writePictures(folder: string, count: number): Promise<void> {
  mkdirSync(folder);
  for (let index = 0; index < count; index++)
    writeFileSync(join(folder, `${index}.jpg`), await drawnJpeg({ width: 320, height: 240, seed: ++seed }));
}

async function runCall(folder: string): Promise<void> {
  const form = new FormData();
  for (const name of readdirSync(folder)) form.append("files", new Blob([readFileSync(join(folder, name))]), name);
  form.append("quality", "60");
  const headers = { authorization: `Bearer ${await newKey()}` };
  const answer = await fetch(`${app.baseUrl}/api/compress`, { method: "POST", headers, body: form });
  if (!answer.ok) throw new Error(await answer.text());
  await answer.arrayBuffer();
}

async function runCommand(folder: string): Promise<void> {
  const ran = await tintype.run(
    ["compress", folder, "--quality", "60", "--out", `${folder}-out`, "--server", app.baseUrl],
    {
      environment: { TINTYPE_KEY: await newKey() },
    },
  );
  if (ran.code !== 0) throw new Error(ran.stderr);
}

const ratios: number[] = [];
try {
  for (let round = 0; round < rounds; round++) {
    const folders = { call: join(room, `call-${round}`), command: join(room, `command-${round}`) };
    await writePictures(folders.call, counts.call);
    await writePictures(folders.command, counts.command);
    const call = (1000 * (await timed(() => runCall(folders.call))).wall) / counts.call;
    const command = (1000 * (await timed(() => runCommand(folders.command))).wall) / counts.command;
    ratios.push(command / call);
    console.log(
      `one call of ${counts.call}: ${call.toFixed(1)} ms a file; the command on ${counts.command}: ${command.toFixed(1)} ms, ${(command / call).toFixed(2)} times`,
    );
  }
  console.log(`median ${median(ratios).toFixed(2)} times`);
} finally {
  await app.close();
  rmSync(room, { recursive: true, force: true });
}
