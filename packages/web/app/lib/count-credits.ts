import { isPrivate } from "./brand.ts";
import { countOf } from "./size.ts";

/** `3 credits`; where nothing is sold, `3 uses`. */
export const countCredits = (credits: number): string => countOf(credits, isPrivate ? "use" : "credit");
