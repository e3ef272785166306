import type { OperationName } from "@tintype/contract";
import type { PictureId } from "./picture.ts";
import type { Settings } from "./settings.ts";

/** Options of single pictures in place of the form's, by tool. */
export type OwnOptions = ReadonlyMap<PictureId, Partial<Settings>>;

export type Setup = { tool: OperationName; settings: Settings; own?: OwnOptions | undefined };

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
