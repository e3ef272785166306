import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { DomainError } from "@tintype/contract";
import { personalFolders, writeWhole } from "@tintype/toolkit";

/** Keys by server, and the server of the last `login`. */
export type Credentials = { server?: string; keys: Record<string, string> };

const fileName = () => join(personalFolders().settings, "credentials.json");

export async function readCredentials(): Promise<Credentials> {
  const text = await readFile(fileName(), "utf8").catch(() => undefined);
  if (text === undefined) return { keys: {} };
  try {
    return JSON.parse(text) as Credentials; // only `writeCredentials` writes it
  } catch {
    throw new DomainError("invalid-request", { detail: `${fileName()} cannot be read. Delete it and sign in again.` });
  }
}

/** Readable by its owner only. */
export async function writeCredentials(credentials: Credentials): Promise<void> {
  if (Object.keys(credentials.keys).length === 0) await rm(fileName(), { force: true });
  else await writeWhole(fileName(), `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 });
}

/** The key for a server: from the environment, or from `login`. @throws unauthorized */
export async function keyOf(origin: string): Promise<string> {
  const key = process.env["TINTYPE_KEY"] || (await readCredentials()).keys[origin];
  if (key) return key;
  throw new DomainError("unauthorized", {
    detail: `There is no key for ${origin}. Please run: tintype login --server ${origin}`,
  });
}
