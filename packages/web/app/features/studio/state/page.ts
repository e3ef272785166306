import type { Picture } from "./picture.ts";
import type { ToolSettings } from "./settings.ts";

/** Whether the option `page` applies: the picture is a document. */
export const hasPages = ({ format }: Partial<Pick<Picture, "format">>): boolean => format === "pdf";

export const settingsWithoutPage = (settings: ToolSettings): ToolSettings => ({ ...settings, page: "" });
