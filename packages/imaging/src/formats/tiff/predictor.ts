/** Samples of a row of a strip or tile, as they lie before the predictor is undone. */
type Rows = {
  rowBytes: number;
  /** Of a pixel in this segment: all channels side by side, or one. */
  channels: number;
  bits: number;
  isLittle: boolean;
};

/** TIFF 6.0, section 14, and technical note 3: differences of samples, and of the bytes of floating-point samples. */
const predictors = { none: 1, horizontal: 2, floatingPoint: 3 } as const;

/** Undoes the predictor, in place. Floating-point samples come out in the file's byte order. */
export function undoPredictor(bytes: Uint8Array, predictor: number, rows: Rows): void {
  for (let start = 0; start + rows.rowBytes <= bytes.length; start += rows.rowBytes) {
    const row = bytes.subarray(start, start + rows.rowBytes);
    if (predictor === predictors.horizontal) addDifferences(row, rows);
    else if (predictor === predictors.floatingPoint) joinBytes(row, rows);
  }
}

function addDifferences(row: Uint8Array, { channels, bits, isLittle }: Rows): void {
  if (bits === 8) {
    for (let i = channels; i < row.length; i++) row[i] = (row[i] ?? 0) + (row[i - channels] ?? 0);
    return;
  }
  const view = new DataView(row.buffer, row.byteOffset, row.byteLength);
  const size = bits / 8;
  const step = channels * size;
  for (let at = step; at + size <= row.length; at += size) {
    if (size === 2) view.setUint16(at, view.getUint16(at, isLittle) + view.getUint16(at - step, isLittle), isLittle);
    else if (size === 4)
      view.setUint32(at, view.getUint32(at, isLittle) + view.getUint32(at - step, isLittle), isLittle);
    else if (size === 8)
      view.setBigUint64(at, view.getBigUint64(at, isLittle) + view.getBigUint64(at - step, isLittle), isLittle);
  }
}

/** A row has the highest bytes of all its samples first, then the next lower ones; differences go over all of them. */
function joinBytes(row: Uint8Array, { channels, bits, isLittle }: Rows): void {
  for (let i = channels; i < row.length; i++) row[i] = (row[i] ?? 0) + (row[i - channels] ?? 0);
  const size = bits / 8;
  const samples = row.length / size;
  const planes = Uint8Array.from(row);
  for (let i = 0; i < samples; i++)
    for (let byte = 0; byte < size; byte++)
      row[i * size + (isLittle ? size - 1 - byte : byte)] = planes[byte * samples + i] ?? 0;
}
