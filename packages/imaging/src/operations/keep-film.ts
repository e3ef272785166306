import { readFile } from "node:fs/promises";
import type { Film } from "../formats/jpeg/container-directory.ts";
import { readFilm, withFilm } from "../formats/jpeg/film.ts";
import { sniffFormat } from "../formats/sniff.ts";
import { optionOf } from "../metadata/choice.ts";
import type { Outcome, Task } from "../task.ts";

/** A source's film, and the bytes that it and its place in XMP take at most. */
export type KeptFilm = { film: Film; addedBytes: number };

/** The film that the result of compress is to have. Undefined where it was not asked for, or the source is no JPEG with one. */
export async function planFilm({ name, options, inputPath, standsFor }: Task): Promise<KeptFilm | undefined> {
  if (name !== "compress" || optionOf(options, "keep_film") !== true || standsFor !== undefined) return undefined;
  const bytes = await readFile(inputPath);
  const film = sniffFormat(bytes) === "jpeg" ? readFilm(bytes) : undefined;
  const alone = film && withFilm(smallestJpeg, film);
  return film && alone ? { film, addedBytes: alone.length - smallestJpeg.length + besideMapBytes } : undefined;
}

const smallestJpeg = Uint8Array.of(0xff, 0xd8, 0xff, 0xd9);
/** A gain map takes a line of the directory that it would not need without a film. */
const besideMapBytes = 160;

/** The film where the result can have it: a JPEG with room for it in `mostBytes`. */
export const filmFor = (
  { result }: Outcome,
  { plan, mostBytes }: { plan: KeptFilm | undefined; mostBytes: number },
): KeptFilm | undefined =>
  plan && result.format === "jpeg" && result.sizeBytes + plan.addedBytes <= mostBytes ? plan : undefined;
