// The whole service: HTTP, upload, credits, jobs and engine processes included.
// npm run bench:service [folder of the data packs] [seconds a round] [rounds] [throughput] [call] [apart] [against=<folder>].
// `throughput`: operations a second compared with raw sharp. `call`: what one call costs, and where its time goes; with
// `apart` also for an API process and a worker on PostgreSQL and Redis; with `against` also for another checkout.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { argv } from "node:process";
import { startIssuer } from "../packages/server/src/testing/issuer.ts";
import { dataPacks } from "./packs.ts";
import { printCallCosts } from "./service/call-costs.ts";
import { writeInputs } from "./service/cases.ts";
import { thisCheckout } from "./service/start-service.ts";
import { printThroughput } from "./service/throughput.ts";

const packs = await dataPacks(argv[2]);
const seconds = Number(argv[3] ?? 8);
const rounds = Number(argv[4] ?? 3);
const parts = argv.length > 5 ? argv.slice(5) : ["throughput", "call", "apart"];
const against = parts.find((part) => part.startsWith("against="))?.slice("against=".length);

const folder = mkdtempSync(join(tmpdir(), "tintype-bench-"));
const issuer = await startIssuer();
try {
  await writeInputs(join(packs, "photos"), folder);
  const options = { root: thisCheckout, folder, issuer, rounds };
  if (parts.includes("throughput")) await printThroughput({ ...options, seconds });
  if (parts.includes("call")) await printCallCosts({ ...options, against, isApart: parts.includes("apart") });
} finally {
  await issuer.close();
  rmSync(folder, { recursive: true, force: true });
}
