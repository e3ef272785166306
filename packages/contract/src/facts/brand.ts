import type { PlanTable } from "./plan.ts";
import { productName } from "./text.ts";

/**
 * Stands in built pages for the product's name, which only a running server knows: the name and an invisible U+2060
 * (word joiner), so that a page that no server fills in still reads well.
 */
export const namePlaceholder = `${productName}\u2060`;

/** The attribute of pictures that are about tintypes. */
export const ownStory = "data-tintype";

/** What pages know of the operator's brand; the rest of it stays on the server. */
export type PublicBrand = {
  name: string;
  /** `#rrggbb`, of the checkout's window. */
  accent?: string | undefined;
  entity?: string | undefined;
  address?: string | undefined;
  support_email?: string | undefined;
  /** Whether payments get invoices. */
  issues_invoices?: boolean | undefined;
  /** Where the operator's differ from Tintype's. */
  plans?: PlanTable | undefined;
  grievance_officer?: { name: string; email: string; phone?: string | undefined } | undefined;
};

/** The start of names of files that are downloaded: `Salt & Silver` gives `salt-silver`. */
export function fileNameOf(brandName: string): string {
  const plain = brandName
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
  return plain || "pictures";
}
