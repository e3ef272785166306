import { ModelError } from "./model-error.ts";

/** One file of a tar archive. The caller reads its `pieces`, or leaves them, before it takes the next entry. */
export type TarEntry = { path: string; sizeBytes: number; pieces(): AsyncGenerator<Buffer> };

const block = 512;
const blocks = (sizeBytes: number) => Math.ceil(sizeBytes / block) * block;

/**
 * The plain files of an unpacked tar stream, in order, in bounded memory. Names come from the ustar header (POSIX
 * 1003.1, "ustar Interchange Format") or from the extended header before it.
 * @throws ModelError when the stream is no tar archive or ends too early
 */
export async function* readTar(stream: AsyncIterable<Uint8Array>): AsyncGenerator<TarEntry> {
  const reader = new PieceReader(stream);
  let longName: string | undefined;
  for (;;) {
    const header = await reader.take(block);
    if (header.every((byte) => byte === 0)) return;
    const { name, sizeBytes, type } = parseHeader(header);
    if (type === "x") {
      longName = pathOfExtendedHeader(await reader.take(blocks(sizeBytes)));
      continue;
    }
    const body = { left: sizeBytes };
    if (type === "0" || type === "\0")
      yield {
        path: longName ?? name,
        sizeBytes,
        async *pieces() {
          while (body.left > 0) {
            const piece = await reader.takeUpTo(body.left);
            body.left -= piece.length;
            yield piece;
          }
        },
      };
    longName = undefined;
    await reader.skip(body.left + blocks(sizeBytes) - sizeBytes);
  }
}

function parseHeader(header: Buffer): { name: string; sizeBytes: number; type: string } {
  const text = (start: number, length: number) =>
    header.toString("utf8", start, start + length).split("\0", 1)[0] ?? "";
  if (text(257, 5) !== "ustar") throw new ModelError("The package is not a tar archive.");
  const sizeBytes = Number.parseInt(text(124, 12).trim() || "0", 8);
  if (!Number.isSafeInteger(sizeBytes)) throw new ModelError("The archive holds a file of unreadable size.");
  const prefix = text(345, 155);
  return { name: (prefix ? `${prefix}/` : "") + text(0, 100), sizeBytes, type: header.toString("latin1", 156, 157) };
}

/** Records of the form `30 path=package/dist/x\n`; all others are of no use here. */
function pathOfExtendedHeader(body: Buffer): string | undefined {
  return /(?:^|\n)\d+ path=([^\n]+)\n/.exec(body.toString("utf8"))?.[1];
}

class PieceReader {
  readonly #pieces: AsyncIterator<Uint8Array>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(stream: AsyncIterable<Uint8Array>) {
    this.#pieces = stream[Symbol.asyncIterator]();
  }

  async takeUpTo(count: number): Promise<Buffer> {
    while (this.#rest.length === 0) {
      const next = await this.#pieces.next();
      if (next.done) throw new ModelError("The archive ends too early.");
      this.#rest = Buffer.from(next.value.buffer, next.value.byteOffset, next.value.byteLength);
    }
    const piece = this.#rest.subarray(0, count);
    this.#rest = this.#rest.subarray(piece.length);
    return piece;
  }

  async take(count: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    for (let left = count; left > 0; left -= parts.at(-1)?.length ?? 0) parts.push(await this.takeUpTo(left));
    return Buffer.concat(parts);
  }

  async skip(count: number): Promise<void> {
    for (let left = count; left > 0; ) left -= (await this.takeUpTo(left)).length;
  }
}
