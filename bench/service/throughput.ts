import { fileURLToPath } from "node:url";
import { median } from "../averages.ts";
import { type Case, cases } from "./cases.ts";
import { output, startScript, stop, treeMemoryMb } from "./processes.ts";
import { createCalls, send } from "./send-calls.ts";
import { type ServiceOptions, startEmbedded } from "./start-service.ts";

const connections = 4;
const script = (name: string) => fileURLToPath(new URL(name, import.meta.url));

type ThroughputOptions = Omit<ServiceOptions, "isRecorded"> & { seconds: number; rounds: number };

/** Operations a second compared with raw sharp and with ipx, and the memory of the process tree. */
export async function printThroughput({ seconds, rounds, ...options }: ThroughputOptions): Promise<void> {
  const { folder, issuer } = options;
  const service = await startEmbedded(options);
  const peer = await startScript(script("peer.ts"), { args: [folder] });
  const calls = await createCalls({ issuer, folder });
  const rawRate = async (index: number, settings: "ours" | "thorough" | "linear" | "peer") =>
    Number(await output(script("raw.ts"), [folder, String(index), settings, String(seconds), String(connections)]));
  const peerRate = ({ peer: { modifiers }, file }: Case, amount: number) =>
    send(`${peer.line}/${modifiers}/${file}`, { amount, connections });

  const memory = () => Math.round(treeMemoryMb(service.pid));
  const before = memory();
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, memory());
  }, 250);
  const rows = [];
  for (const [index, one] of cases.entries()) {
    const rates = {
      raw: [] as number[],
      thorough: [] as number[],
      linear: [] as number[],
      ours: [] as number[],
      rawAsPeer: [] as number[],
      peer: [] as number[],
    };
    // Alternating within each round: a machine that slows down slows all of them.
    for (let round = 0; round < rounds; round++) {
      const raw = await rawRate(index, "ours");
      const rawAsPeer = await rawRate(index, "peer");
      const amountAt = (rate: number) => Math.max(4 * connections, Math.ceil(rate * seconds));
      rates.raw.push(raw);
      rates.ours.push(await calls.send(service.base, one, { amount: amountAt(raw), connections }));
      rates.thorough.push(await rawRate(index, "thorough"));
      if (one.rawLinear) rates.linear.push(await rawRate(index, "linear"));
      rates.rawAsPeer.push(rawAsPeer);
      rates.peer.push(await peerRate(one, amountAt(rawAsPeer)));
    }
    const ratios = (mine: number[], raw: number[]) => median(mine.map((rate, i) => rate / (raw[i] ?? 1)));
    rows.push({
      case: one.name,
      "raw sharp, /s": median(rates.raw).toFixed(2),
      "Tintype, /s": median(rates.ours).toFixed(2),
      "Tintype / raw": ratios(rates.ours, rates.raw).toFixed(2),
      "Tintype / sharp's mozjpeg": ratios(rates.ours, rates.thorough).toFixed(2),
      "Tintype / sharp in linear light": one.rawLinear ? ratios(rates.ours, rates.linear).toFixed(2) : "",
      "raw sharp as ipx, /s": median(rates.rawAsPeer).toFixed(2),
      "ipx, /s": median(rates.peer).toFixed(2),
      "ipx / raw": ratios(rates.peer, rates.rawAsPeer).toFixed(2),
    });
    console.error(rows.at(-1)); // printed as it comes: the whole run takes minutes
  }
  clearInterval(watch);
  const after = [];
  for (const waitMs of [5_000, 25_000]) {
    await new Promise((done) => setTimeout(done, waitMs));
    after.push(memory());
  }
  console.log(`${connections} connections, ${rounds} rounds of ${seconds} s each, medians; node ${process.version}`);
  console.table(rows);
  console.log(
    `Memory of the whole process tree, MB: ${before} before, ${most} at most under load, ${after[0]} after 5 s, ${after[1]} after 30 s.`,
  );
  await service.close();
  await stop(peer.child);
}
