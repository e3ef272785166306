import { readFile } from "node:fs/promises";
import { smallestJpeg } from "@tintype/codecs/jpeg";
import { directoryOf, type Film } from "../formats/jpeg/container-directory.ts";
import { readFilm, withFilm } from "../formats/jpeg/film.ts";
import { optionOf } from "../metadata/choice.ts";
import type { Outcome } from "../task.ts";
import type { OpenedTask } from "./operation.ts";

/** A source's video (motion photo), and the most bytes that it and its XMP directory take. */
export type FilmPlan = { film: Film; reservedBytes: number };

/** The video of a result. `besideMapBytes`: its size in a file whose gain map already has a directory. */
export type KeptFilm = { film: Film; addedBytes: number; besideMapBytes: number };

/**
 * The video that the result of compress keeps. Undefined if it was not requested, or the source is not a JPEG with one.
 */
export async function planFilm({ name, options, input, standsFor }: OpenedTask): Promise<FilmPlan | undefined> {
  if (name !== "compress" || optionOf(options, "keep_film") !== true || standsFor !== undefined) return undefined;
  const film = input.format === "jpeg" ? readFilm(await input.bytes()) : undefined;
  const alone = film && withFilm(smallestJpeg, film);
  return film && alone ? { film, reservedBytes: alone.length - smallestJpeg.length } : undefined;
}

/** The video, if the result can hold it: a JPEG, as encoded, with room for it within `maxBytes`. */
export async function filmFor(
  { result }: Outcome,
  { outputPath }: OpenedTask,
  { plan, maxBytes }: { plan: FilmPlan | undefined; maxBytes: number },
): Promise<KeptFilm | undefined> {
  if (!plan || result.format !== "jpeg") return undefined;
  const { film } = plan;
  const written = await readFile(outputPath);
  const whole = withFilm(written, film);
  if (!whole || whole.length > maxBytes) return undefined;
  const lineBytes = directoryOf({ mapBytes: 1, film }).length - directoryOf({ mapBytes: 1 }).length;
  return { film, addedBytes: whole.length - written.length, besideMapBytes: film.bytes.length + lineBytes };
}
