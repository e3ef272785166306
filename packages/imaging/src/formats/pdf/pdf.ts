import { DomainError } from "@tintype/contract";
import type { FormatModule } from "../format-module.ts";
import { openPdf } from "./read.ts";

export const pdf: FormatModule = {
  open: openPdf,
  /** Any object of a PDF can contain metadata, and no library here can rewrite them. */
  strip() {
    throw new DomainError("cannot-process", { reason: { code: "pdf-not-stripped" } });
  },
};
