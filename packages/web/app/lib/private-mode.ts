import { brand } from "./brand.ts";
import { countOf } from "./size.ts";

/** Whether nothing is sold here. Never while pages are built: what they hide then has the class `credits`. */
export const isPrivate = brand.mode === "private";

/** `3 credits`; where nothing is sold, `3 uses`. */
export const countCredits = (credits: number): string => countOf(credits, isPrivate ? "use" : "credit");
