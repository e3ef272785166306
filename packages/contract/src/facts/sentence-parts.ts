/** Formats 16384 as `16,384`. Not with Intl, whose first use would add 30 ms to the start of every process. */
export const grouped = (number: number): string => String(number).replace(/\B(?=([0-9]{3})+$)/g, ",");

type Missed = { result: string; likeness: number; maxBytes?: number | undefined; best?: number | undefined };

/** No result of compress looks enough like the original. */
export function likenessMissed({ result, likeness, maxBytes, best }: Missed): string {
  const wanted = maxBytes === undefined ? result : `${result} of at most ${maxBytes} bytes`;
  return `No ${wanted} keeps a likeness of ${likeness}${best === undefined ? "" : `: the best has ${best}`}.`;
}
