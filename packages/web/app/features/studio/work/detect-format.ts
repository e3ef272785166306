import { formatNamed, text } from "@tintype/contract";
import { ApiProblem } from "../../../lib/api/problem.ts";
import type { StudioParts } from "../studio-parts.ts";

/** A format shows in the first bytes (an SVG's within its first tags); there is no need to send a whole photograph. */
const headBytes = 256 * 1024;

/** Asks the server what the first picture is, and fills it in as Convert's source format unless it is another by then. */
export async function detectFormat({ store, api, notify }: StudioParts): Promise<void> {
  const [first] = store.read().pictures;
  if (!first?.file) return;
  const form = new FormData();
  form.append("file", first.file.slice(0, headBytes, first.file.type), first.name);
  try {
    const { source_format } = await api.call("POST /convert/detect-source-format", { form });
    const format = formatNamed(source_format);
    if (format && store.read().pictures[0]?.id === first.id) store.dispatch({ type: "format-detected", format });
  } catch (problem) {
    notify.error(problem instanceof ApiProblem ? text.detectFailed : text.detectError);
  }
}
