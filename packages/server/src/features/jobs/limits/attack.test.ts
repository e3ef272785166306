import { setTimeout as wait } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { rowsOf } from "../../../platform/db/database.ts";
import { startTestApp } from "../../../testing/harness.ts";
import { noisePng, samplePng } from "../../../testing/pictures.ts";

// Before the fix, six 24 MP pictures at quality 100 with an unreachable max_bytes took an engine 64 to 80 s each, free of
// charge. Another account's small picture waited 196 s.
test("pictures that cannot be made small enough keep nobody waiting, end after one encoding each, and use up a free budget", {
  timeout: 300_000,
}, async () => {
  /** The log's lines, each picture's at its end. */
  const lines: string[] = [];
  const app = await startTestApp({
    hasEngineProcesses: true,
    onLogLine: (line) => lines.push(line),
    environment: { TINTYPE_ENGINES: "1", TINTYPE_SPARE_ENGINES: "1", TINTYPE_CALLER_FREE_SECONDS: "1" },
  });
  try {
    const [greedy, other] = [await app.person(), await app.person()];
    const large = noisePng(2000, 1500);
    const files = Array.from({ length: 6 }, (_, i) => ({ name: `${i}.png`, bytes: large }));
    const options = { quality: "100", max_bytes: "100" };
    const begun = await greedy.run("compress", files, options, { prefer: "respond-async" });
    expect(begun.status).toBe(202);
    const job = begun.headers.get("location") ?? "";
    const states = () =>
      rowsOf<{ state: string; n: number }>(
        app.db.execute(sql`select state, count(*)::int as n from job_files group by state order by state`),
      );
    await expect.poll(states).toContainEqual({ state: "working", n: 1 });
    const small = other.run("compress", [{ name: "a.png", bytes: samplePng(60, 40) }], { quality: "60" });
    expect((await small).status).toBe(200);

    const isOver = async () => ((await (await greedy.call(job)).json()) as { state: string }).state;
    while ((await isOver()) === "queued" || (await isOver()) === "running") await wait(200);
    const ended = (await (await greedy.call(job)).json()) as { state: string; files: { code: string }[] };
    expect(ended.state).toBe("failed");
    // The large pictures were queued first, and most ended after the small one.
    const pictures = () =>
      lines.flatMap((line) => {
        const { msg, job: id } = JSON.parse(line) as { msg?: string; job?: string };
        return msg === "picture" ? [job.endsWith(String(id)) ? "large" : "small"] : [];
      });
    await expect.poll(() => pictures().length).toBe(7);
    expect(pictures().indexOf("small")).toBeLessThan(4);
    // After the first second of free work the rest is refused, including the first file if it yielded to the small one.
    const codes = ended.files.map(({ code }) => code);
    expect(new Set([...codes, "size-unreachable", "too-many-requests"]).size).toBe(2);
    expect(codes.at(-1)).toBe("too-many-requests");
    const again = await greedy.run("compress", files.slice(0, 1), options);
    expect(again.status).toBe(429);
    expect(Number(again.headers.get("retry-after"))).toBeGreaterThan(60);
    expect(((await again.json()) as { detail: string }).detail).toContain("try again in");
    expect((await other.run("compress", [{ name: "a.png", bytes: samplePng(60, 40) }], { quality: "60" })).status).toBe(
      200,
    );
  } finally {
    await app.close();
  }
});
