import { z } from "zod";
import { unknownName } from "../facts/nearest-name.ts";

/**
 * A JSON body in which a member that there is not is refused, with the one that was meant. Left out in silence, a misspelt one
 * would do something else than was asked for: end a key at once, or let it live for ever.
 */
export const exactObject = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: ({ code, keys }) =>
      code === "unrecognized_keys" ? unknownName(String(keys[0]), Object.keys(shape), "field") : undefined,
  });
