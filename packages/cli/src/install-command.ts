import { DomainError, type OperationName, unknownName } from "@tintype/contract";
import { type Networks, networkOperations, openNetworks, personalFolders } from "@tintype/toolkit";
import { exitCodes } from "./exit-codes.ts";
import { onInterruption } from "./interruption.ts";

/** @throws invalid-request for an operation without a network, unavailable */
export async function installNetworks(names: readonly string[]): Promise<number> {
  const known = networkOperations();
  const wanted = names.map((name) => {
    const found = known.find((one) => one === name);
    if (found) return found;
    throw new DomainError("invalid-request", { detail: unknownName(name, known, "operation with a network") });
  });
  const networks = openNetworks(personalFolders().networks);
  const operations = wanted.length > 0 ? wanted : known;
  if ((await networks.missing(operations)).length === 0) process.stderr.write("Everything is installed.\n");
  else await fetchNetworks(operations, networks);
  return exitCodes.done;
}

export async function fetchNetworks(operations: readonly OperationName[], networks: Networks): Promise<void> {
  const interruption = onInterruption({ isHandled: true });
  try {
    await networks.install(operations, {
      signal: interruption.signal,
      say: (line) => process.stderr.write(`${line}\n`),
    });
  } finally {
    interruption.leave();
  }
}
