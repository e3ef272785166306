import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileNameOf, isPrivate, nearestName, type PlanTable, type PublicBrand, productName } from "@tintype/contract";
import { imageSize } from "image-size";
import { isMap, isPair, isScalar, LineCounter, parseDocument } from "yaml";
import { z } from "zod";
import { openPrintFonts, printedScripts } from "../print-fonts.ts";
import { type AccentColours, accentColours, ContrastError } from "./colours.ts";
import { checkSeries, type InvoiceRules, invoiceRules } from "./invoice-rules.ts";
import { type OwnText, readOwnText } from "./own-text.ts";
import {
  currencyRules,
  noticeRule,
  type PriceChanges,
  paysByCountry,
  planRules,
  planTableOf,
  priceChangesOf,
  tintypePlans,
} from "./plan-rules.ts";

/** The default file name, looked up in the data folder, then in the working folder. */
const defaultFileName = "tintype.brand.yaml";

export type BrandPicture = {
  bytes: Buffer;
  type: "image/svg+xml" | "image/png" | "image/jpeg";
  width: number;
  height: number;
};

/** The product under the operator's name; without a file, Tintype's. */
export type Brand = {
  name: string;
  /** The prefix of names of downloaded files. */
  fileName: string;
  colours: AccentColours | undefined;
  logo: BrandPicture | undefined;
  /** For dark pages; default: `logo`. */
  logoDark: BrandPicture | undefined;
  icon: BrandPicture | undefined;
  socialImage: BrandPicture | undefined;
  /** Whether its name differs from Tintype. */
  isOwn: boolean;
  legal: {
    entity: string | undefined;
    address: string | undefined;
    taxNumber: string | undefined;
    governingLaw: string | undefined;
    grievanceOfficer: PublicBrand["grievance_officer"];
    texts: { terms: OwnText | undefined; policy: OwnText | undefined };
  };
  supportEmail: string | undefined;
  /** Undefined for Tintype's. */
  plans: PlanTable | undefined;
  priceChanges: PriceChanges;
  /** Undefined if none are issued. */
  invoices: InvoiceRules | undefined;
};

/** A fault of the file that its author can fix. */
class BrandError extends Error {
  override readonly name = "BrandError";
}

const line = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .refine((text) => !/[\p{Cc}\u2028\u2029]/u.test(text), "expected one line of text without control characters");
const paragraph = z
  .string()
  .trim()
  .min(1)
  .max(300)
  .refine((text) => !/[^\P{Cc}\n]/u.test(text), "expected text without control characters");
/** The name goes into scripts, attributes and headers: characters that end a string there are refused. */
const brandName = line(40).refine((text) => !/[<>"\\{}\u2060]/.test(text), 'expected a name without < > " \\ { }');
const colour = z
  .string()
  .regex(/^#[0-9a-f]{6}$/i, 'expected a colour in quotes, like "#0b6e4f"')
  .toLowerCase();
const path = z.string().trim().min(1);

const schema = z.strictObject({
  name: brandName.default(productName),
  logo: path.optional(),
  logo_dark: path.optional(),
  icon: path.optional(),
  social_image: path.optional(),
  colours: z.strictObject({ accent: colour, accent_dark: colour.optional() }).optional(),
  support_email: z.email("expected an e-mail address").optional(),
  legal: z
    .strictObject({
      entity: line(120).optional(),
      address: paragraph.optional(),
      tax_number: line(40).optional(),
      governing_law: line(80).optional(),
      grievance_officer: z
        .strictObject({
          name: line(80),
          email: z.email("expected an e-mail address"),
          phone: line(40).optional(),
        })
        .optional(),
      terms: path.optional(),
      policy: path.optional(),
    })
    .optional(),
  currencies: currencyRules.optional(),
  plans: planRules.optional(),
  price_notice_days: noticeRule,
  invoices: invoiceRules.optional(),
});
type BrandFile = z.infer<typeof schema>;

type Source = {
  /** Its name in errors. */
  label: string;
  text: string;
  /** Relative paths are resolved against it. */
  folder: string;
};

/** Where a brand comes from: the content of a variable, a named file, or the default file. */
export type BrandPlace = { content: string | undefined; file: string | undefined; dataFolder: string };

/**
 * Reads the operator's brand.
 * @throws Error naming the file, the line and the field of each fault, and what is expected there
 */
export function readBrand(place: BrandPlace): Brand {
  const source = findSource(place) ?? { label: defaultFileName, text: "", folder: "." };
  const { content, lineOf } = parseSource(source);
  return brandOf(checkBrand(content, lineOf), { folder: source.folder, lineOf });
}

function findSource({ content, file, dataFolder }: BrandPlace): Source | undefined {
  if (content !== undefined) {
    if (file !== undefined) throw new Error("TINTYPE_BRAND and TINTYPE_BRAND_FILE are both set. Set only one of them.");
    return { label: "TINTYPE_BRAND", text: content, folder: dataFolder };
  }
  const found =
    file === undefined ? [join(dataFolder, defaultFileName), resolve(defaultFileName)].find(existsSync) : resolve(file);
  if (found === undefined) return undefined;
  try {
    return { label: file ?? defaultFileName, text: readFileSync(found, "utf8"), folder: dirname(found) };
  } catch (problem) {
    throw new Error(`TINTYPE_BRAND_FILE: ${file ?? defaultFileName} cannot be read.`, { cause: problem });
  }
}

type FieldPath = readonly PropertyKey[];

/** Where a field is, for messages: the file and its line. */
type LineOf = (field: FieldPath) => string;

function parseSource({ label, text }: Source): { content: unknown; lineOf: LineOf } {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const [broken] = document.errors;
  if (broken) throw new BrandError(`${label}:${lines.linePos(broken.pos[0]).line}: ${broken.message}`);
  const lineOf: LineOf = (field) => {
    const start = startOf(document.contents, field);
    return start === undefined ? label : `${label}:${lines.linePos(start).line}`;
  };
  return { content: document.toJS({ maxAliasCount: 0 }) ?? {}, lineOf };
}

function checkBrand(content: unknown, lineOf: LineOf): BrandFile {
  const parsed = schema.safeParse(content);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.flatMap((issue) => {
    if (issue.code === "unrecognized_keys")
      return issue.keys.map((key) => {
        const known = fieldsAt(issue.path);
        const meant = nearestName(key, known);
        return `${lineOf([...issue.path, key])}: there is no field "${[...issue.path, key].join(".")}". ${meant ? `Did you mean "${meant}"?` : `Use one of: ${known.join(", ")}.`}`;
      });
    const value = issue.path.reduce<unknown>(
      (inside, key) => (inside as Record<PropertyKey, unknown> | undefined)?.[key],
      content,
    );
    const came = value === undefined ? "" : `, received ${JSON.stringify(value)?.slice(0, 60)}`;
    const where = issue.path.length === 0 ? "" : `${issue.path.join(".")}: `;
    const expected = issue.code === "invalid_type" ? expectedOf(issue.expected) : issue.message;
    return `${lineOf(issue.path)}: ${where}${expected}${came}`;
  });
  throw new BrandError(faults.join("\n"));
}

function expectedOf(type: string): string {
  const words: Record<string, string> = {
    string: "text (in quotes where it begins with #)",
    object: "fields",
    int: "a whole number",
  };
  return `expected ${words[type] ?? `a ${type}`}`;
}

/** The fields that an object of the file may have. If it has several forms, those of any. */
function fieldsAt(field: FieldPath): string[] {
  let inside: unknown[] = [schema];
  for (const key of field) inside = inside.flatMap(shapesOf).map((shape) => shape[String(key)]);
  return [...new Set(inside.flatMap(shapesOf).flatMap((shape) => Object.keys(shape)))];
}

function shapesOf(type: unknown): Record<string, unknown>[] {
  const inner = unwrap(type);
  if (inner instanceof z.ZodObject) return [inner.shape];
  return inner instanceof z.ZodUnion ? inner.options.flatMap(shapesOf) : [];
}

function unwrap(type: unknown): unknown {
  let inner = type;
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodDefault) inner = inner.unwrap();
  return inner;
}

/** A field's position in the text; if it is missing, that of its nearest ancestor. */
function startOf(contents: unknown, field: FieldPath): number | undefined {
  let node = contents;
  let start: number | undefined;
  for (const key of field) {
    if (!isMap(node)) break;
    const pair = node.items.find((item) => isPair(item) && isScalar(item.key) && item.key.value === key);
    if (!pair || !isScalar(pair.key)) break;
    start = pair.key.range?.[0];
    node = pair.value;
  }
  return start;
}

function brandOf(file: BrandFile, { folder, lineOf }: { folder: string; lineOf: LineOf }): Brand {
  const legal = file.legal ?? {};
  const at = (field: string, problem: unknown): never => {
    throw new BrandError(
      `${lineOf(field.split("."))}: ${field}: ${problem instanceof Error ? problem.message : problem}`,
    );
  };
  const attempt = <T>(field: string, work: () => T): T => {
    try {
      return work();
    } catch (problem) {
      return at(field, problem);
    }
  };
  const read = (name: string): Buffer => {
    try {
      return readFileSync(resolve(folder, name));
    } catch (problem) {
      throw new Error(`the file ${name} cannot be read`, { cause: problem });
    }
  };
  const picture = (field: "logo" | "logo_dark" | "icon" | "social_image", accepts: readonly BrandPicture["type"][]) => {
    const name = file[field];
    return name === undefined ? undefined : attempt(field, () => pictureOf(read(name), { name, accepts }));
  };
  const ownText = (field: "terms" | "policy") => {
    const name = legal[field];
    return name === undefined
      ? undefined
      : attempt(`legal.${field}`, () => readOwnText(field, { file: name, source: read(name).toString("utf8") }));
  };
  const icon = picture("icon", ["image/png"]);
  if (icon && (icon.width !== icon.height || icon.width < minIconPx))
    at("icon", `expected a square PNG of ${minIconPx} px or more, received ${icon.width} x ${icon.height} px`);
  if (file.logo_dark !== undefined && file.logo === undefined)
    at("logo_dark", "expected logo beside it, for light pages");
  if (file.invoices) {
    const { invoices } = file;
    if (!legal.entity || !legal.address)
      at("invoices", "expected legal.entity and legal.address beside it: an invoice names its seller");
    attempt("invoices", () => checkSeries(invoices));
    const fonts = openPrintFonts();
    for (const [field, text] of Object.entries(printedTexts(file))) {
      const letter = fonts.findUnprintable(text ?? "");
      if (letter !== undefined) at(field, `expected ${printedScripts}, which invoices can print, received "${letter}"`);
    }
  }
  const plans = planTableOf(file, at);
  // If a buyer has given no details, the currency decides whether they are in India.
  if (file.invoices?.tax.kind === "gst" && !paysByCountry(plans ?? tintypePlans, { currency: "INR", country: "IN" }))
    at("currencies", "expected INR for IN and for no other country, since GST is divided by it");
  const { accent, accent_dark: accentDark } = file.colours ?? {};
  return {
    name: file.name,
    fileName: fileNameOf(file.name),
    isOwn: file.name !== productName,
    colours: accent === undefined ? undefined : coloursOf(accent, accentDark, at),
    logo: picture("logo", ["image/svg+xml", "image/png"]),
    logoDark: picture("logo_dark", ["image/svg+xml", "image/png"]),
    icon,
    socialImage: picture("social_image", ["image/png", "image/jpeg"]),
    legal: {
      entity: legal.entity,
      address: legal.address,
      taxNumber: legal.tax_number,
      governingLaw: legal.governing_law,
      grievanceOfficer: legal.grievance_officer,
      texts: { terms: ownText("terms"), policy: ownText("policy") },
    },
    supportEmail: file.support_email,
    plans,
    priceChanges: priceChangesOf(file.plans, file.price_notice_days),
    invoices: file.invoices,
  };
}

/** The texts of the file that invoices print, by field. */
const printedTexts = ({ name, legal, invoices, plans }: BrandFile): Record<string, string | undefined> => ({
  name,
  "legal.entity": legal?.entity,
  "legal.address": legal?.address,
  "legal.tax_number": legal?.tax_number,
  "invoices.footer": invoices?.footer,
  "plans.mini.name": plans?.mini?.name,
  "plans.plus.name": plans?.plus?.name,
  "plans.pro.name": plans?.pro?.name,
  "invoices.tax.note": invoices?.tax.kind === "none" ? invoices.tax.note : undefined,
});

/** For the icon that phones show. */
const minIconPx = 512;
const maxPictureBytes = 1_000_000;

function coloursOf(
  paper: string,
  darkroom: string | undefined,
  at: (field: string, problem: unknown) => never,
): AccentColours {
  try {
    return accentColours({ paper, darkroom: darkroom ?? paper });
  } catch (problem) {
    if (!(problem instanceof ContrastError)) throw problem;
    if (problem.light === "paper") return at("colours.accent", problem);
    if (darkroom !== undefined) return at("colours.accent_dark", problem);
    return at("colours.accent", `${problem.message} as accent_dark, for pages in the dark`);
  }
}

function pictureOf(
  bytes: Buffer,
  { name, accepts }: { name: string; accepts: readonly BrandPicture["type"][] },
): BrandPicture {
  if (bytes.length > maxPictureBytes) throw new Error(`${name} is larger than 1 MB`);
  const kinds = { svg: "image/svg+xml", png: "image/png", jpg: "image/jpeg" } as const;
  const expected = `expected ${accepts.map((type) => (type === "image/svg+xml" ? "SVG" : type === "image/png" ? "PNG" : "JPEG")).join(" or ")} with a size`;
  let size: ReturnType<typeof imageSize>;
  try {
    size = imageSize(bytes);
  } catch (problem) {
    throw new Error(`${expected}, and ${name} is none`, { cause: problem });
  }
  const type = kinds[size.type as keyof typeof kinds];
  if (!type || !accepts.includes(type) || !size.width || !size.height)
    throw new Error(`${expected}, and ${name} is none`);
  return { bytes, type, width: size.width, height: size.height };
}

/** The part of the brand that pages may read. */
export const publicBrand = ({ name, colours, legal, supportEmail, invoices, plans }: Brand): PublicBrand => ({
  name,
  ...(isPrivate() ? { mode: "private" as const } : {}),
  ...(colours ? { accent: colours.paper.fill } : {}),
  ...(legal.entity ? { entity: legal.entity } : {}),
  ...(legal.address ? { address: legal.address } : {}),
  ...(supportEmail ? { support_email: supportEmail } : {}),
  ...(invoices ? { issues_invoices: true } : {}),
  ...(plans ? { plans } : {}),
  ...(legal.grievanceOfficer ? { grievance_officer: legal.grievanceOfficer } : {}),
});
