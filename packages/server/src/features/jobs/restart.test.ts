import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startTestApp } from "../../testing/harness.ts";
import { noisePng } from "../../testing/pictures.ts";
import { findJob } from "./record/store.ts";

test("a server that starts again takes up what was paid for, and never what was free", async () => {
  const dataFolder = mkdtempSync(join(tmpdir(), "tintype-restart-"));
  const start = () => startTestApp({ dataFolder, keepsDatabase: true });
  const pictures = ["a.png", "b.png", "c.png"].map((name) => ({ name, bytes: noisePng(1000, 1000) }));
  let app = await start();
  const guest = app.caller();
  const begin = async (task: string, fields: Record<string, string>) => {
    const answer = await guest.run(task, pictures, fields, { prefer: "respond-async" });
    expect(answer.status).toBe(202);
    return answer.headers.get("location")?.split("/").at(-1) ?? "";
  };
  try {
    const paid = await begin("compress", { quality: "60" });
    const free = [await begin("preview", { side: "64" }), await begin("upload", {})];
    await app.close();
    app = await start();
    for (const id of free) {
      const job = await findJob(app.db, id);
      // One file may have been in work when the server was told to stop. No other one is started.
      const codes = job?.files.map(({ code }) => code).filter((code) => code === "interrupted") ?? [];
      expect([job?.state, codes.length >= 2]).toEqual(["failed", true]);
    }
    await expect.poll(async () => (await findJob(app.db, paid))?.state).toBe("done");
  } finally {
    await app.close();
    rmSync(dataFolder, { recursive: true, force: true });
  }
});
