import type { ServerResponse } from "node:http";
import type { FastifyBaseLogger, FastifyInstance } from "fastify";

/** The minimum rate at which a client takes its response. */
export type ReaderRate = {
  bytesPerSecond: number;
  /** What it may owe from the beginning. */
  firstBytes: number;
  /**
   * What it may be ahead at most. Linux takes the next bytes only once a third of the connection's buffer (4 MB at most) is
   * free: an honest client of the lowest rate seems to stand still in between.
   */
  aheadBytes: number;
};

/** Slow-read attack: a client that takes nothing keeps a connection, an open picture and its place on the disk. */
const usualRate: ReaderRate = { bytesPerSecond: 8_000, firstBytes: 240_000, aheadBytes: 2_000_000 };

/** How far ahead a client is after `owedMs` in which bytes were waiting for it. It is too slow below 0. */
export const aheadAfter = (
  aheadBytes: number,
  { takenBytes, owedMs }: { takenBytes: number; owedMs: number },
  rate: ReaderRate,
): number => Math.min(rate.aheadBytes, aheadBytes + takenBytes) - (owedMs / 1000) * rate.bytesPerSecond;

type Reader = { response: ServerResponse; log: FastifyBaseLogger; takenBytes: number; aheadBytes: number };

export type SlowReaders = {
  /** Watches every response: pictures, ZIPs, events. */
  watch(app: FastifyInstance): void;
  /** Closes the connections of clients that are too slow. Called every second. */
  check(): void;
};

const checkEveryMs = 1_000;

/** Time in which the server itself has nothing to send is not counted. */
export function createSlowReaders({
  rate = usualRate,
  now = () => performance.now(),
}: {
  rate?: ReaderRate;
  now?: () => number;
} = {}): SlowReaders {
  const readers = new Set<Reader>();
  let checkedAt = now();
  const check = () => {
    // A late check means that this process was busy and sent nothing meanwhile.
    const owedMs = Math.min(now() - checkedAt, checkEveryMs);
    checkedAt = now();
    for (const reader of readers) {
      const { socket } = reader.response;
      if (!socket) continue;
      const takenBytes = bytesTaken(socket);
      reader.aheadBytes = aheadAfter(
        reader.aheadBytes,
        { takenBytes: takenBytes - reader.takenBytes, owedMs: socket.writableLength > 0 ? owedMs : 0 },
        rate,
      );
      reader.takenBytes = takenBytes;
      if (reader.aheadBytes >= 0) continue;
      reader.log.info({ takenBytes }, "closed the connection of a client that does not take its response");
      socket.destroy();
    }
  };
  return {
    check,
    watch(app) {
      app.addHook("onRequest", async ({ raw: { socket }, log }, { raw: response }) => {
        const reader = { response, log, takenBytes: bytesTaken(socket), aheadBytes: rate.firstBytes };
        readers.add(reader);
        response.once("close", () => readers.delete(reader));
      });
      const timer = setInterval(check, checkEveryMs);
      timer.unref();
      app.addHook("onClose", async () => clearInterval(timer));
    },
  };
}

/** What the kernel has taken for the client. `bytesWritten` has the bytes that still wait in the process too. */
const bytesTaken = ({ bytesWritten = 0, writableLength = 0 }: { bytesWritten?: number; writableLength?: number }) =>
  bytesWritten - writableLength;
