import { createInterface } from "node:readline/promises";
import { DomainError, type OperationName, unknownName } from "@tintype/contract";
import {
  type Networks,
  needsNetwork,
  networkOperations,
  openNetworks,
  personalFolders,
  type Work,
} from "@tintype/toolkit";
import { exitCodes } from "./exit-codes.ts";
import { onInterruption } from "./interruption.ts";

/** @throws invalid-request for an operation without a network, unavailable */
export async function installNetworks(names: readonly string[]): Promise<number> {
  const known = networkOperations();
  const chosen = names.map((name) => {
    const found = known.find((one) => one === name);
    if (found) return found;
    throw new DomainError("invalid-request", { detail: unknownName(name, known, "operation with a network") });
  });
  const networks = openNetworks(personalFolders().networks);
  const operations = chosen.length > 0 ? chosen : known;
  if ((await networks.missing(operations)).length === 0) process.stderr.write("Everything is installed.\n");
  else await fetchNetworks(operations, networks);
  return exitCodes.done;
}

async function fetchNetworks(operations: readonly OperationName[], networks: Networks): Promise<void> {
  const interruption = onInterruption({ isHandled: true });
  try {
    await networks.install(operations, {
      signal: interruption.signal,
      log: (line) => process.stderr.write(`${line}\n`),
    });
  } finally {
    interruption.leave();
  }
}

/**
 * Offers to install the networks that the work needs, on a terminal; elsewhere it prints the command that installs
 * them.
 * @returns whether the work can begin
 */
export async function askForNetworks({ steps }: Work, networks: Networks): Promise<boolean> {
  const operations = steps.map(({ operation }) => operation).filter(needsNetwork);
  if (operations.length === 0) return true;
  const missing = await networks.missing(operations);
  if (missing.length === 0) return true;
  const sum = missing.reduce((megabytes, part) => megabytes + part.megabytes, 0);
  const parts = missing.map(({ name, megabytes }) => `${name} (${megabytes} MB)`).join(", ");
  const sentence = `On this computer ${operations.join(" and ")} needs ${parts}, fetched once from the npm registry.`;
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    process.stderr.write(`${sentence}\nPlease run: tintype install ${operations.join(" ")}\n`);
    return false;
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(`${sentence}\nInstall ${sum} MB now? [y/N] `).catch(() => "n");
  terminal.close();
  if (!/^y(es)?$/i.test(answer.trim())) return false;
  await fetchNetworks(operations, networks);
  return true;
}
