import type { OperationName } from "@tintype/contract";
import { formFields } from "./form-fields.ts";
import type { Picture, PictureId } from "./picture.ts";
import type { Settings } from "./settings.ts";

/** Options of single pictures in place of the form's, by tool. */
export type OwnOptions = ReadonlyMap<PictureId, Partial<Settings>>;

type Setup = { tool: OperationName; settings: Settings; own?: OwnOptions | undefined };

export const noOwn: OwnOptions = new Map();

export const hasOwn = ({ tool, own }: Pick<Setup, "tool" | "own">, id: PictureId): boolean =>
  own?.get(id)?.[tool] !== undefined;

/** The settings that a picture is sent with: its own where it has some. The crop and the turn are the same for all. */
export function settingsFor({ tool, settings, own }: Setup, id: PictureId): Settings {
  const { frame: _, ...mine }: Settings[OperationName] = own?.get(id)?.[tool] ?? {};
  if (!hasOwn({ tool, own }, id)) return settings;
  const { frame } = settings[tool];
  return { ...settings, [tool]: frame ? { ...mine, frame } : mine };
}

/** `settings` undefined: the picture goes by the form again. */
export function withOwn(
  own: OwnOptions,
  { id, tool, settings }: { id: PictureId; tool: OperationName; settings: Settings[OperationName] | undefined },
): OwnOptions {
  const { [tool]: _, ...others } = own.get(id) ?? {};
  const mine: Partial<Settings> = settings ? { ...others, [tool]: settings } : others;
  const next = new Map(own);
  if (Object.keys(mine).length > 0) next.set(id, mine);
  else next.delete(id);
  return next.size > 0 ? next : noOwn;
}

/** Pictures that go with the same options: the server takes one set of options with a job. */
export type Part = { settings: Settings; pictures: readonly Picture[] };

/** The parts of a submit, in the order of their first pictures. */
export function partsOf(pictures: readonly Picture[], setup: Setup): readonly Part[] {
  const parts: { settings: Settings; pictures: Picture[]; fields: Fields }[] = [];
  for (const picture of pictures) {
    const settings = settingsFor(setup, picture.id);
    const fields = formFields(setup.tool, settings);
    const same = parts.find((part) => isSame(part.fields, fields));
    if (same) same.pictures.push(picture);
    else parts.push({ settings, pictures: [picture], fields });
  }
  return parts;
}

type Fields = Record<string, string | File>;

/** A file is the same only as itself: two pictures of one name may differ. */
const isSame = (one: Fields, other: Fields): boolean =>
  Object.keys(one).length === Object.keys(other).length &&
  Object.entries(one).every(([name, value]) => other[name] === value);
