import { formatNamed, formats, manifestOf, type OperationName, tasks, type WrittenStep } from "@tintype/contract";
import { formatBytes, formatNumber, formatSides } from "../../../../lib/size.ts";
import { fieldValue } from "../../state/form-fields.ts";
import { stepNames } from "../../state/steps.ts";

type Options = Readonly<Record<string, unknown>>;

/** Options that are described together with another one, or mean nothing on their own. */
const omittedOptions = new Set(["allow_resize", "min_quality", "width", "height", "target_format"]);

/** Options that are described even at their defaults. */
const alwaysDescribed = new Set(["scale_factor", "method"]);

/** A readable description of a recipe's step: `Resize 1,200 px wide`, `Convert to WebP, at most 300 KB`. */
export function describeStep(step: WrittenStep): string {
  const [tool] = stepNames([step]);
  if (!tool) return "";
  const options: Options = step[tool] ?? {};
  // A stored recipe names every option. Omit most defaults, and a margin without a crop.
  const others = Object.entries(options).filter(
    ([name, value]) =>
      !omittedOptions.has(name) &&
      (alwaysDescribed.has(name) || String(value) !== fieldValue(tool, {}, name)) &&
      !(name === "margin" && tool !== "watermark" && options["crop"] !== true),
  );
  const parts = [describeSides(options), ...others.map(([name, value]) => describeOption(tool, name, value))];
  const target = formatNamed(String(options["target_format"] ?? ""));
  const label = target ? `${tasks[tool].label} to ${formats[target].label}` : tasks[tool].label;
  const description = parts.filter(Boolean).join(", ");
  return target || description === "" ? [label, description].filter(Boolean).join(", ") : `${label}: ${description}`;
}

function describeSides({ width, height }: Options): string {
  const [across, down] = [Number(width ?? 0), Number(height ?? 0)];
  if (across > 0 && down > 0) return `${formatSides(across, down)} px`;
  if (across > 0) return `${formatNumber(across)} px wide`;
  return down > 0 ? `${formatNumber(down)} px high` : "";
}

function describeOption(tool: OperationName, name: string, value: unknown): string {
  if (name === "max_bytes") return `at most ${formatBytes(Number(value)).replace(/[.]0 /, " ")}`;
  if (name === "scale_factor") return `${value}×`;
  if (name === "background") return `on ${value}`;
  if (name === "enlarge") return value === true ? "may enlarge" : "not enlarged";
  if (name === "text") return `“${value}”`;
  if (["margin", "size", "opacity"].includes(name)) return `${name} ${value}%`;
  if (name === "metadata") return value === "none" ? "no metadata" : "all metadata but location";
  const field = manifestOf(tool).fields[name];
  const labels = field && "labels" in field ? field.labels : undefined;
  const called = (field?.label ?? name.replaceAll("_", " ")).toLowerCase();
  if (field?.kind === "flag") return value === true ? called : "";
  const description = labels?.[String(value)] ?? String(value);
  return field?.kind === "choice" ? description.toLowerCase() : `${called} ${description}`;
}
