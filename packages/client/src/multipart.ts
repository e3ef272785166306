import { TintypeError } from "./error.ts";

export type Multipart = {
  type: string;
  sizeBytes: number;
  /** The body's bytes, read on demand. @throws TypeError for a file that cannot be read */
  read(onRead: (sizeBytes: number) => void): AsyncGenerator<Uint8Array>;
};

/**
 * A form as a request body (RFC 7578), with names encoded as the HTML standard says. If Node.js 24 sends a FormData
 * itself and cannot read one of its files, the whole process exits.
 */
export function multipartOf(form: FormData): Multipart {
  const boundary = `----tintype-${crypto.randomUUID()}`;
  const encoder = new TextEncoder();
  const pieces: (Uint8Array | File)[] = [];
  const write = (text: string) => void pieces.push(encoder.encode(text));
  for (const [name, value] of form) {
    write(`--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"`);
    if (typeof value === "string") write(`\r\n\r\n${value.replace(/\r\n|\r|\n/g, "\r\n")}`);
    else {
      write(`; filename="${quoted(value.name)}"\r\nContent-Type: ${value.type || "application/octet-stream"}\r\n\r\n`);
      pieces.push(value);
    }
    write("\r\n");
  }
  write(`--${boundary}--\r\n`);
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    sizeBytes: pieces.reduce((sum, piece) => sum + (piece instanceof File ? piece.size : piece.length), 0),
    async *read(onRead) {
      for (const piece of pieces)
        for await (const chunk of piece instanceof File ? bytesOf(piece) : [piece]) {
          onRead(chunk.length);
          yield chunk;
        }
    },
  };
}

const quoted = (name: string): string => name.replace(/\r\n|\r|\n/g, "%0D%0A").replaceAll('"', "%22");

async function* bytesOf(file: File): AsyncGenerator<Uint8Array> {
  const reader = file.stream().getReader();
  const read = () =>
    reader.read().catch((cause: unknown) => {
      const message = `The file ${file.name} cannot be read, or changed while it was sent.`;
      throw new TintypeError({ code: "invalid-request", message, retryable: false }, { cause });
    });
  try {
    for (let { done, value } = await read(); !done; { done, value } = await read()) if (value) yield value;
  } finally {
    reader.cancel().catch(() => undefined); // the rest of an abandoned call
  }
}
