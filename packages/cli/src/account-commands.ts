import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { DomainError } from "@tintype/contract";
import { plain } from "@tintype/toolkit";
import { checkServer, openAccount } from "@tintype/toolkit/server";
import { keyOf, readCredentials, writeCredentials } from "./credentials.ts";
import { exitCodes } from "./exit-codes.ts";
import type { RunFlags } from "./operation-flags.ts";
import { printWarning, table } from "./output.ts";
import { settingsFor } from "./session.ts";

/** The address of a server that `tintype serve` has started. */
const localServer = "http://localhost:3000";

/** Stores a key for a server, once the server has accepted it. @throws unauthorized, invalid-request, NetworkLost */
export async function login(flags: RunFlags): Promise<number> {
  const { server: origin = localServer } = await settingsFor(flags);
  await checkServer(origin, printWarning);
  const key = (await readKey(`${origin}/account/keys`)).trim();
  if (!/^tt_(live|test)_[!-~]+$/.test(key))
    throw new DomainError("invalid-request", { detail: "This is no API key: keys begin with tt_live_ or tt_test_." });
  const account = await openAccount({ origin, key }).usage();
  const { keys } = await readCredentials();
  await writeCredentials({ server: origin, keys: { ...keys, [origin]: key } });
  process.stderr.write(
    plain(`Signed in at ${origin} as ${account.email}${planOf(account)}.`) +
      "\nFrom now on pictures go there. --offline keeps them on this computer, and so does tintype logout.\n",
  );
  return exitCodes.done;
}

/** A server that counts without a limit sells no plans. */
const planOf = ({ plan, limit }: { plan: string; limit: number | null }) => (limit === null ? "" : `, plan ${plan}`);

async function readKey(page: string): Promise<string> {
  if (!process.stdin.isTTY) return text(process.stdin);
  process.stderr.write(`Make a key with the scopes process, jobs:read and usage:read at ${page}\n`);
  openPage(page);
  return askHidden("Key: ");
}

/** The printed sentence has the URL, so a computer without a browser is not an error. */
function openPage(page: string): void {
  const [command, ...args] =
    process.platform === "darwin" ? ["open"] : process.platform === "win32" ? ["cmd", "/c", "start", ""] : ["xdg-open"];
  const opener = spawn(command ?? "", [...args, page], { stdio: "ignore", detached: true });
  opener.on("error", () => {});
  opener.unref();
}

/** Reads a line without echo. @throws unauthorized at Ctrl-C and Ctrl-D */
function askHidden(question: string): Promise<string> {
  // The terminal echoes what is typed before this call, which turns the echo off.
  const terminal = createInterface({ input: process.stdin, terminal: true });
  process.stderr.write(question);
  return new Promise<string>((resolve, reject) => {
    terminal.once("line", resolve);
    terminal.once("SIGINT", () => terminal.close());
    terminal.once("close", () =>
      reject(new DomainError("unauthorized", { detail: "No key was given, and none is stored." })),
    );
  }).finally(() => {
    terminal.close();
    process.stderr.write("\n");
  });
}

/** Deletes the stored key of a server. */
export async function logout(flags: RunFlags): Promise<number> {
  const { server: origin = localServer } = await settingsFor(flags);
  const { server, keys } = await readCredentials();
  const { [origin]: forgotten, ...left } = keys;
  await writeCredentials({ keys: left, ...(server !== undefined && server !== origin ? { server } : {}) });
  process.stderr.write(
    forgotten === undefined
      ? `There was no key for ${origin}.\n`
      : `The key for ${origin} is forgotten here. It still works until you delete it at ${origin}/account/keys\n`,
  );
  return exitCodes.done;
}

/** @throws unauthorized, NetworkLost */
export async function whoami(flags: RunFlags): Promise<number> {
  const { origin, account } = await accountFor(flags);
  const person = await account.usage();
  const { name, email, plan, limit } = person;
  const sold = limit === null ? {} : { plan };
  if (flags.json) process.stdout.write(`${JSON.stringify({ server: origin, name, email, ...sold })}\n`);
  else process.stdout.write(`${plain(`${name} <${email}>${planOf(person)}, at ${origin}`)}\n`);
  return exitCodes.done;
}

/** Number of ledger entries shown. */
const shownLines = 10;

/** @throws unauthorized, NetworkLost */
export async function usage(flags: RunFlags): Promise<number> {
  const { account } = await accountFor(flags);
  const [{ serviceCount: used, limit, window, resetsAt, plan }, { lines }] = await Promise.all([
    account.usage(),
    account.history(shownLines),
  ]);
  if (flags.json) {
    const last = lines.map(({ at, operation, change, files, credits, givenBack }) => ({
      at,
      operation,
      change,
      files,
      credits,
      given_back: givenBack,
    }));
    const left = limit === null ? {} : { left: Math.max(0, limit - used) };
    const facts = { ...(limit === null ? {} : { plan }), used, limit, ...left, window, resets_at: resetsAt, last };
    process.stdout.write(`${JSON.stringify(facts)}\n`);
    return exitCodes.done;
  }
  const until = resetsAt === null ? "" : `, until ${resetsAt.slice(0, 16).replace("T", " ")} UTC`;
  process.stdout.write(
    limit === null
      ? `${used === 1 ? "1 use" : `${used} uses`} this month.\n`
      : `${used} of ${limit} credits are used, ${Math.max(0, limit - used)} are left${until}.\n`,
  );
  if (lines.length === 0) return exitCodes.done;
  const rows = lines.map(({ at, operation, change, files, credits, givenBack }) => [
    `${at.slice(0, 16).replace("T", " ")} ${operation ?? change}`,
    files > 0 ? `${files} ${files === 1 ? "file" : "files"}` : "",
    limit === null ? "" : `${credits} ${credits === 1 ? "credit" : "credits"}`,
    limit !== null && givenBack > 0 ? `${givenBack} came back` : "",
  ]);
  process.stdout.write(plainTable(rows));
  return exitCodes.done;
}

const plainTable = (rows: string[][]): string => table(rows.map((row) => row.map(plain)));

async function accountFor(flags: RunFlags) {
  const { server: origin } = await settingsFor(flags);
  if (origin === undefined)
    throw new DomainError("unauthorized", {
      detail: "You are not signed in to a server. Please run: tintype login --server <address>",
    });
  const key = await keyOf(origin);
  await checkServer(origin, printWarning);
  return { origin, account: openAccount({ origin, key }) };
}
