import { formatNamed, text } from "@tintype/contract";
import { ApiProblem } from "@tintype/contract/api";
import type { Picture } from "../state/picture.ts";
import type { StudioParts } from "./studio-parts.ts";

/** The first bytes are enough to detect a format (the first tags of an SVG), so no whole photograph is sent. */
const headBytes = 256 * 1024;

/** Asks the server for a file's format, which it rejects if it recognises none. */
export function detectFormat(api: StudioParts["api"], file: File, name: string) {
  const form = new FormData();
  form.append("file", file.slice(0, headBytes, file.type), name);
  return api.call("POST /convert/detect-source-format", { form });
}

/**
 * Fills in Convert's source format from the first picture, once per first picture and only while Convert is selected. Call the
 * returned function after each change.
 */
export function createDetection({ store, api }: Pick<StudioParts, "store" | "api">): () => void {
  let detected: File | undefined;

  async function detect({ file, name }: Picture & { file: File }) {
    const isStillFirst = () => store.read().pictures[0]?.file === file;
    try {
      const { source_format } = await detectFormat(api, file, name);
      const format = formatNamed(source_format);
      if (format && isStillFirst()) store.dispatch({ type: "format-detected", format });
    } catch (problem) {
      const sentence = problem instanceof ApiProblem ? text.detectFailed : text.detectError;
      if (isStillFirst()) store.dispatch({ type: "format-unknown", sentence });
    }
  }

  return () => {
    const { tool, pictures } = store.read();
    const [first] = pictures;
    if (tool !== "convert" || first?.file === detected) return;
    detected = first?.file;
    if (first?.file) void detect({ ...first, file: first.file });
  };
}
