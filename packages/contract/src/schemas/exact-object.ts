import { z } from "zod";
import { unknownName } from "../facts/nearest-name.ts";

/**
 * A JSON body that rejects unknown members and suggests the likely one. Ignoring a misspelt member could do something
 * unintended, such as revoking a key at once or never.
 */
export const exactObject = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: ({ code, keys }) =>
      code === "unrecognized_keys" ? unknownName(String(keys[0]), Object.keys(shape), "field") : undefined,
  });
