/** A file of a ZIP. */
export type ZipEntry = { name: string; blob: Blob };

const endSignature = 0x06054b50;
const endBytes = 22;

/**
 * The entries of a ZIP as Tintype writes it: stored, without a comment. Entries are slices of the ZIP, not copies.
 * Returns none for a ZIP of 4 GiB or more (ZIP64).
 */
export async function readZip(zip: Blob): Promise<ZipEntry[]> {
  const view = async (start: number, end: number) => new DataView(await zip.slice(start, end).arrayBuffer());
  if (zip.size < endBytes) return [];
  const end = await view(zip.size - endBytes, zip.size);
  const count = end.getUint16(10, true);
  const start = end.getUint32(16, true);
  if (end.getUint32(0, true) !== endSignature || start === 0xffffffff || count === 0xffff) return [];
  const directory = await view(start, start + end.getUint32(12, true));
  const decoder = new TextDecoder();
  const entries: ZipEntry[] = [];
  for (let i = 0, at = 0; i < count; i++) {
    const field = (offset: number) => directory.getUint16(at + offset, true);
    const size = directory.getUint32(at + 20, true);
    const header = directory.getUint32(at + 42, true);
    const name = decoder.decode(new Uint8Array(directory.buffer, at + 46, field(28)));
    // The local header has its own lengths for name and extra field.
    const local = await view(header, header + 30);
    const data = header + 30 + local.getUint16(26, true) + local.getUint16(28, true);
    entries.push({ name, blob: zip.slice(data, data + size) });
    at += 46 + field(28) + field(30) + field(32);
  }
  return entries;
}
