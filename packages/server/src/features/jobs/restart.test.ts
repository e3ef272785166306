import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { heldClock, startTestApp } from "../../testing/harness.ts";
import { noisePng } from "../../testing/pictures.ts";
import { creditEntries } from "../credits/tables.ts";
import { findJob } from "./record/store.ts";
import { jobs, processes } from "./tables.ts";

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

test("a server that was away for longer than its results live refunds the answer that nobody got, and then removes it", async () => {
  const dataFolder = mkdtempSync(join(tmpdir(), "tintype-away-"));
  const clock = heldClock();
  const start = () => startTestApp({ clock, dataFolder, keepsDatabase: true });
  let app = await start();
  const guest = app.caller();
  const kindsOf = async (jobId: string) =>
    (await app.db.select().from(creditEntries).where(eq(creditEntries.jobId, jobId))).map(({ kind }) => kind);
  try {
    const pictures = [{ name: "a.png", bytes: noisePng(60, 40) }];
    const begun = await guest.run("compress", pictures, { quality: "60" }, { prefer: "respond-async" });
    const id = begun.headers.get("location")?.split("/").at(-1) ?? "";
    await expect.poll(async () => (await findJob(app.db, id))?.state).toBe("done");
    expect(await kindsOf(id)).toEqual(["charge"]);
    // As a process leaves it that dies while its caller waits for the answer.
    await app.db
      .insert(processes)
      .values({ id: "proc_dead", role: "all", classes: "picture", leaseUntil: new Date(Date.now() - 60_000) });
    await app.db.update(jobs).set({ waited: true, process: "proc_dead" }).where(eq(jobs.id, id));
    await app.close();
    clock.advance(3_600_000);
    app = await start();
    await expect.poll(async () => (await findJob(app.db, id))?.state).toBe("failed");
    // Readers are given a moment.
    clock.advance(3_600_000);
    await expect.poll(async () => (await findJob(app.db, id))?.removedAt).not.toBeNull();
    expect(await kindsOf(id)).toEqual(["charge", "refund"]);
  } finally {
    await app.close();
    rmSync(dataFolder, { recursive: true, force: true });
  }
});
