import type { PlanTable } from "./plan.ts";
import { productName } from "./text.ts";

/**
 * Placeholder in built pages for the product's name, which only a running server knows. It is the default name followed by
 * an invisible U+2060 (word joiner), so a page still reads well if no server fills it in.
 */
export const namePlaceholder = `${productName}\u2060`;

/** The attribute that marks pictures of tintypes. */
export const ownAboutAttribute = "data-tintype";

/** The part of the operator's brand that pages receive. The rest stays on the server. */
export type PublicBrand = {
  name: string;
  /** Set if nothing is sold here. */
  mode?: "private" | undefined;
  /** `#rrggbb`, the colour of the checkout window. */
  accent?: string | undefined;
  entity?: string | undefined;
  address?: string | undefined;
  support_email?: string | undefined;
  /** Whether payments get invoices. */
  issues_invoices?: boolean | undefined;
  /** Set if the operator's plans differ from Tintype's. */
  plans?: PlanTable | undefined;
  grievance_officer?: { name: string; email: string; phone?: string | undefined } | undefined;
};

/** The prefix of downloaded files' names: `Salt & Silver` gives `salt-silver`. */
export function fileNameOf(brandName: string): string {
  const plain = brandName
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
  return plain || "pictures";
}
