import { formFields } from "./form-fields.ts";
import { type Setup, settingsFor } from "./own-options.ts";
import type { Picture } from "./picture.ts";
import type { Settings } from "./settings.ts";

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
