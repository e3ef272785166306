/** The bytes of a picture. A stream is read fully before sending, because a retry needs the bytes again. */
export type FileBytes =
  | Blob
  | ArrayBuffer
  | ArrayBufferView<ArrayBuffer>
  | Uint8Array
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array>;

/** A picture in a browser: bytes, with a name for the result if wanted, or a URL that the server fetches. */
export type BrowserFile = FileBytes | { name: string; data: FileBytes } | URL | string;

/** The URL of a picture, if the server should fetch it. */
export const asHttpUrl = (input: unknown): URL | undefined => {
  const isUrl = input instanceof URL || (typeof input === "string" && /^https?:\/\//i.test(input));
  return isUrl ? new URL(input) : undefined;
};

const noPicture = "Give a picture as a Blob, bytes, a stream, a URL, or { name, data }; in Node.js a path too.";

/** A named File from bytes in any form. */
export async function toFile(input: FileBytes | { name: string; data: FileBytes }): Promise<File> {
  if (input instanceof File) return input;
  if (typeof input !== "object" || input === null) throw new TypeError(noPicture);
  if (isNamed(input)) return new File([await toBlob(input.data)], input.name);
  const blob = await toBlob(input);
  return new File([blob], nameOf(input) ?? (await nameByFormat(blob)));
}

const isNamed = (input: object): input is { name: string; data: FileBytes } => "data" in input && "name" in input;

/** A Node.js read stream has the path of its file. */
const nameOf = (input: object): string | undefined =>
  ("path" in input && typeof input.path === "string" ? input.path.split(/[\\/]/).at(-1) : undefined) || undefined;

/** The first bytes of common formats. The server recognizes more, but needs no name for that. */
const signatures: readonly (readonly [RegExp, string])[] = [
  [/^\xff\xd8/, "jpg"],
  [/^\x89PNG/, "png"],
  [/^GIF8/, "gif"],
  [/^RIFF.{4}WEBP/s, "webp"],
  [/^.{4}ftypavi[fs]/s, "avif"],
  [/^.{4}ftyp(?:hei|hev|mif)/s, "heic"],
  [/^(?:II\*\0|MM\0\*)/, "tiff"],
  [/^BM/, "bmp"],
];

/** Bytes without a name are called `image`, with the extension of their format, which their result then has too. */
async function nameByFormat(blob: Blob): Promise<string> {
  const start = String.fromCharCode(...new Uint8Array(await blob.slice(0, 12).arrayBuffer()));
  const extension = signatures.find(([signature]) => signature.test(start))?.[1];
  return extension ? `image.${extension}` : "image";
}

async function toBlob(data: FileBytes): Promise<Blob> {
  if (data instanceof Blob) return data;
  if (data instanceof ArrayBuffer) return new Blob([data]);
  if (ArrayBuffer.isView(data)) return new Blob([data as ArrayBufferView<ArrayBuffer>]); // Blob also copies from shared memory
  if (data instanceof ReadableStream) return new Response(data as ReadableStream<Uint8Array<ArrayBuffer>>).blob();
  if (typeof data !== "object" || data === null || !(Symbol.asyncIterator in data)) throw new TypeError(noPicture);
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for await (const chunk of data) chunks.push(new Uint8Array(chunk));
  return new Blob(chunks);
}
