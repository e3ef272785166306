import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { accounts } from "../features/accounts/tables.ts";
import { adminAudit } from "../features/desk/tables.ts";
import { openPglite } from "../platform/db/pglite.ts";
import { runOperatorCommand } from "./operator-command.ts";

const folder = mkdtempSync(join(tmpdir(), "tintype-operators-"));
const run = (line: string) => runOperatorCommand(line.split(" "), { TINTYPE_DATA: folder });
beforeAll(async () => {
  const { db, close } = await openPglite({ folder });
  const at = new Date();
  const known = { issuer: "https://id.example", name: "", createdAt: at };
  await db.insert(accounts).values([
    { ...known, id: "acc_ann", subject: "ann", email: "ann@example.com", emailVerified: true },
    { ...known, id: "acc_bob", subject: "bob", email: "bob@example.com" },
  ]);
  await close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("operators are named, listed and taken back, and the log says so", async () => {
  expect(await run("list")).toBe("Nobody has access to the operator's desk.");
  expect(await run("grant ann@example.com")).toContain(
    "ann@example.com (acc_ann) is now an owner at http://localhost:3000/admin",
  );
  await expect(run("grant bob@example.com")).rejects.toThrow("name it by its id: acc_bob");
  await run("grant acc_bob --role support");
  expect((await run("list")).split("\n")).toEqual([
    expect.stringMatching(/^owner +acc_ann {2}ann@example\.com {2}since /),
    expect.stringMatching(/^support +acc_bob {2}bob@example\.com {2}since /),
  ]);
  await run("revoke acc_bob --reason left");
  await expect(run("revoke acc_bob")).rejects.toThrow("has no role at the desk");
  const { db, close } = await openPglite({ folder });
  const log = await db.select().from(adminAudit).orderBy(adminAudit.id);
  await close();
  expect(log.map(({ actor, action, subject, reason }) => [actor, action, subject, reason])).toEqual([
    ["command", "operator-granted", "acc_ann", "by the command of the server"],
    ["command", "operator-granted", "acc_bob", "by the command of the server"],
    ["command", "operator-revoked", "acc_bob", "left"],
  ]);
});

test.each(["", "grant", "list all", "delete ann@example.com", "grant a b"])(
  "a line that is none is answered with those that are: %j",
  async (line) => {
    await expect(run(line)).rejects.toThrow("npm run admin -- grant");
  },
);

test("a role that there is not is refused", async () => {
  await expect(run("grant acc_ann --role king")).rejects.toThrow("--role: choose read-only, support, owner.");
});

test("invoices of some days are written as CSV, and days that are none are refused", async () => {
  expect(await run("invoices --from 2026-04-01 --to 2026-04-30")).toMatch(/^\ufeffnumber,kind,day,.*,total,test$/);
  for (const line of ["invoices", "invoices --from 2026-04-01", "invoices --from 2026-04-31 --to 2026-05-01"])
    await expect(run(line)).rejects.toThrow("name the first and the last day");
  await expect(run("invoices --from 2026-05-01 --to 2026-04-01")).rejects.toThrow("name the first and the last day");
});

// product: invitations
test("an invitation is made, listed and revoked by the command, which shows its link once", async () => {
  const made = await run("invite Eve@example.com --role support --days 3");
  const [link = "", said = ""] = made.split("\n");
  expect(link).toMatch(/^http:\/\/localhost:3000\/join\/[\w-]{32}$/);
  const id = /inv_\w+/.exec(said)?.[0] ?? "";
  expect(await run("invitations")).toMatch(new RegExp(`^open +${id} {2}eve@example.com {2}support {2}until `));
  expect(await run("invite")).toContain("for whoever has the link");
  expect(await run(`uninvite ${id}`)).toBe(`${id} lets nobody in any more.`);
  await expect(run(`uninvite ${id}`)).rejects.toThrow("is not an open invitation");
  expect(await run("invitations")).toContain(`revoked  ${id}`);
  await expect(run("invite eve")).rejects.toThrow("is not an email address");
  await expect(run("invite --days 0")).rejects.toThrow("--days: choose 1 to 90.");
});
