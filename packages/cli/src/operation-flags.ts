import { resolve } from "node:path";
import {
  auxiliaryFilesOf,
  DomainError,
  type Field,
  formatNamed,
  manifestOf,
  type OperationName,
} from "@tintype/contract";
import { textsOf } from "@tintype/contract/reference";
import { type Command, InvalidArgumentError, Option } from "commander";

/** Short names of fields, for every operation that has these fields. */
const shortNames: Record<string, string> = { max_bytes: "max", target_format: "to" };
/** Names that people try first. */
const triedNames: Record<string, string> = { scale_factor: "factor" };

const namesOf = (field: string): string[] => [
  ...new Set([flagOf(field), kebab(field), ...(triedNames[field] === undefined ? [] : [triedNames[field]])]),
];

const kebab = (field: string) => field.replaceAll("_", "-");
export const flagOf = (field: string) => shortNames[field] ?? kebab(field);
/** The name of a flag as commander gives it. */
export const camel = (flag: string) => flag.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Rewrites API field names in a sentence, such as `min_quality`, as flags. */
export const withFlags = (text: string): string => text.replace(/\b[a-z]+_[a-z_]+\b/g, (name) => `--${flagOf(name)}`);

/** Adds a flag for each field of the operation, and for each of its auxiliary files. */
export function addOperationFlags(command: Command, operation: OperationName): void {
  const { fields, oneOf, defaults = {} } = manifestOf(operation);
  const { fields: texts, pictures } = textsOf(operation);
  const without = oneOf?.fields.map((name) => `--${flagOf(name)}`).join(" and ");
  for (const [name, field] of Object.entries<Field>(fields)) {
    if (field.kind === "flag" && field.keepsOnServer) continue;
    for (const flag of namesOf(name)) {
      const value = field.kind === "flag" ? "" : ` <${name.endsWith("_bytes") ? "size" : valueName(field)}>`;
      const defaultText = defaults[name] === undefined ? undefined : `without ${without}: ${defaults[name]}`;
      const option = new Option(`--${flag}${value}`, describe(field, texts[name] ?? "", defaultText));
      if (name.endsWith("_bytes")) option.argParser(readSize);
      if (flag !== flagOf(name)) option.hideHelp();
      command.addOption(option);
    }
  }
  for (const { field } of auxiliaryFilesOf(operation)) command.option(`--${kebab(field)} <file>`, pictures?.[field]);
}

const valueName = (field: Field): string =>
  field.kind === "integer" || field.kind === "decimal" || field.kind === "factor"
    ? "number"
    : field.kind === "format"
      ? "format"
      : field.kind === "colour"
        ? "colour"
        : field.kind === "text"
          ? "text"
          : "name";

/** The allowed values. */
function valuesOf(field: Field): readonly (string | number)[] {
  if (field.kind !== "choice") return "values" in field ? field.values : [];
  return field.values.filter((value) => !field.comingSoon?.includes(value));
}

function describe(field: Field, description: string, defaultText?: string): string {
  const values = "values" in field ? `one of ${valuesOf(field).join(", ")}` : undefined;
  const standard =
    "default" in field && field.default !== undefined && field.default !== false
      ? `default: ${field.default}`
      : undefined;
  const facts = [values, standard, defaultText].filter((fact) => fact !== undefined).join("; ");
  const text = withFlags(description);
  return facts ? `${text}${text ? " " : ""}(${facts})` : text;
}

/** Extracts the operation's options from the parsed flags, by field name. */
export function optionsIn(operation: OperationName, flags: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const given = Object.keys(manifestOf(operation).fields).flatMap((name) => {
    const value = namesOf(name)
      .map((flag) => flags[camel(flag)])
      .find((one) => one !== undefined);
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(given);
}

/** The paths of the auxiliary files in the flags, by field name. */
export const auxiliaryFilesIn = (
  operation: OperationName,
  flags: Readonly<Record<string, unknown>>,
): (readonly [field: string, path: string])[] =>
  auxiliaryFilesOf(operation).flatMap(({ field }) => {
    const path = flags[camel(kebab(field))];
    return typeof path === "string" ? [[field, resolve(path)] as const] : [];
  });

const units: Record<string, number> = { "": 1, b: 1, k: 1e3, kb: 1e3, m: 1e6, mb: 1e6, kib: 1024, mib: 1024 ** 2 };

/** `150kb` is 150000. @throws InvalidArgumentError */
function readSize(text: string): number {
  const [, number = "", unit = ""] = /^([0-9]+(?:[.][0-9]+)?) ?([a-z]*)$/i.exec(text.trim()) ?? [];
  const factor = units[unit.toLowerCase()];
  if (number === "" || factor === undefined)
    throw new InvalidArgumentError("The size must be written like 150kb, 1.5mb or 20000.");
  return Math.round(Number(number) * factor);
}

/** The main field, which `--upscale 4` sets. */
export const mainField = (operation: OperationName): string => Object.keys(manifestOf(operation).example)[0] ?? "";

/** Whether a text is meant for `readShortOptions`: it names a field, or is a value of the operation's main field. */
export function isShortOptions(operation: OperationName, text: string): boolean {
  if (/^[a-z_-]+=/i.test(text)) return true;
  const field: Field | undefined = manifestOf(operation).fields[mainField(operation) as never]; // undefined if there is no such field
  switch (field?.kind) {
    case "integer":
    case "decimal":
    case "factor":
      return /^-?[0-9.]+$/.test(text);
    case "format":
      return formatNamed(text) !== undefined;
    case "choice":
      return field.values.some((value) => value === text);
    case "text":
      return field.pattern.test(text);
    default:
      return false;
  }
}

/** Parses `4`, or `width=1200,method=fit`, as options of the operation. @throws invalid-request */
export function readShortOptions(operation: OperationName, text: string | true): Record<string, unknown> {
  if (text === true) return {};
  if (!text.includes("=")) return { [mainField(operation)]: text };
  return Object.fromEntries(
    // A value may be a list: widths=640,1280.
    text.split(/,(?=\s*[a-z_-]+\s*=)/i).map((part) => {
      const at = part.indexOf("=");
      if (at < 1)
        throw new DomainError("invalid-request", {
          detail: `The options of ${operation} must be written as name=value.`,
        });
      return [part.slice(0, at).trim().replaceAll("-", "_"), part.slice(at + 1).trim()];
    }),
  );
}

/** How the flags say which pictures are found. */
export const findingOf = ({ exclude, allowEmpty }: RunFlags) => ({
  exclude: exclude ?? [],
  allowsNone: allowEmpty === true,
});

/** The flags that runs have in common, as commander parses them, next to the operation's own. */
export type RunFlags = {
  server?: string;
  offline?: boolean;
  out?: string;
  suffix?: string;
  inPlace?: boolean;
  concurrency?: string;
  dryRun?: boolean;
  json?: boolean;
  watch?: boolean;
  failOnLarger?: boolean;
  keepDates?: boolean;
  force?: boolean;
  exclude?: string[];
  allowEmpty?: boolean;
  cache?: boolean;
  [option: string]: unknown;
};
