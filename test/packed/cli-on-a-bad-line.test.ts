import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../../packages/server/src/testing/harness.ts";
import { keyFromAccountPage } from "../tools/account-key.ts";
import { type TestCommand, testCommand } from "../tools/command.ts";
import { cutPhotographs } from "../tools/photographs.ts";
import { installPacked, type Packed } from "./pack.ts";

// The same on sources, part by part: test/tools/server-batches.test.ts.

let packed: Packed;
let room: string;
let command: TestCommand;
beforeAll(async () => {
  packed = await installPacked("@tintype/cli");
  room = mkdtempSync(join(tmpdir(), "tintype-cli-"));
  command = testCommand([join(packed.folder, "node_modules/@tintype/cli/dist/tintype.js")], room);
});
afterAll(() => {
  packed.remove();
  rmSync(room, { recursive: true, force: true });
});

/** A TCP proxy to the server whose connections can be cut. */
async function openLine(port: number): Promise<{ origin: string; cut(): void; restore(): void; server: Server }> {
  let isCut = false;
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    if (isCut) return void near.destroy();
    const far = connect(port, "127.0.0.1");
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on("error", () => other.destroy());
      one.on("close", () => {
        sockets.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    origin: `http://127.0.0.1:${address.port}`,
    server,
    cut() {
      isCut = true;
      for (const socket of sockets) socket.destroy();
    },
    restore() {
      isCut = false;
    },
  };
}

test("20 photos over a line that is cut, in a process that is killed: each is done once, charged once, and whole", async () => {
  const origin = "http://localhost:54322";
  const app: TestApp = await startTestApp({ environment: { OIDC_ISSUER: "", TINTYPE_ORIGIN: origin } });
  const line = await openLine(Number(new URL(app.baseUrl).port));
  try {
    const { key, call } = await keyFromAccountPage(app, origin);
    const folder = join(room, "journey");
    mkdirSync(join(folder, "photos"), { recursive: true });
    for (const [i, photo] of (await cutPhotographs(20)).entries())
      writeFileSync(join(folder, "photos", `${i}.jpg`), photo);
    const signedIn = await command.run(["login", "--server", line.origin], { input: key });
    expect(signedIn).toMatchObject({ code: 0, stderr: expect.stringContaining("plan hobby") });
    // Batches of two, because the results of a batch arrive together.
    const args = ["compress", "photos", "--quality", "70", "--out", "out", "--concurrency", "4", "--json"];
    const child = command.begin(args, { cwd: folder });
    child.stderr.resume();
    let done = 0;
    let wasCut = false;
    createInterface({ input: child.stdout }).on("line", (text) => {
      done += (JSON.parse(text) as { outcome: string }).outcome === "done" ? 1 : 0;
      if (done === 5) {
        line.cut();
        wasCut = true;
        setTimeout(() => line.restore(), 1_000);
      }
      if (done === 12) child.kill("SIGKILL");
    });
    await new Promise((closed) => child.once("close", closed));
    expect([wasCut, done >= 12, done < 20]).toEqual([true, true, true]);
    const second = await command.run(args, { cwd: folder });
    expect(second).toMatchObject({ code: 0, stderr: `Pictures go to ${line.origin}.\n` });
    const results = readdirSync(join(folder, "out"));
    expect(results.sort()).toEqual(readdirSync(join(folder, "photos")).sort());
    expect(await (await call("/user-info")).json()).toMatchObject({ service_count: 20 });
    // The same work on this computer gives the same bytes.
    const here = await command.run(["compress", "photos", "--quality", "70", "--out", "here", "--offline"], {
      cwd: folder,
    });
    expect(here.code).toBe(0);
    for (const name of results)
      expect(readFileSync(join(folder, "out", name)).equals(readFileSync(join(folder, "here", name)))).toBe(true);
    expect((await command.run(["usage", "--json"])).stdout).toContain('"used":20');
    expect((await command.run(["logout"])).code).toBe(0);
    expect((await command.run(["whoami"])).code).toBe(3);
  } finally {
    line.cut();
    line.server.close();
    await app.close();
  }
});
