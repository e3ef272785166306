import {
  aboutLead,
  escapeHtml,
  fillPlanFacts,
  isPrivate,
  namePlaceholder,
  ownAboutAttribute,
  productName,
  unnamedOperator,
} from "@tintype/contract";
import { type Brand, publicBrand } from "../platform/brand/brand.ts";
import { privateStyle, withoutSale } from "./private-pages.ts";

/** The name as the build writes it; in our HTML also with the character reference. */
const names = new RegExp(`${namePlaceholder}|${productName}&NoBreak;`, "g");
/** Scripts are not parsed as HTML: the name is inserted unescaped. */
const scripts = /(<script\b[^>]*>)([\s\S]*?)(<\/script>)/gi;

/**
 * A built page or text under the operator's name, with the operator's colours, logo and legal texts.
 * @throws Error for a legal page that differs from the build's: it would show the wrong text
 */
export function brandPage(built: string, { file, brand }: { file: string; brand: Brand }): string {
  const text = isPrivate() ? withoutSale(built, file) : built;
  const legal = /^(terms|policy)(\.data|\/index\.html)$/.exec(file)?.[1] as "terms" | "policy" | undefined; // by the pattern
  const whole = legal ? replaceLegal(text, { name: legal, isData: file.endsWith(".data"), brand }) : text;
  if (file.endsWith(".html")) return brandHtml(whole, brand);
  const written = file.endsWith(".xml") ? escapeHtml : asIs;
  return fillPlanFacts(
    whole.replace(names, () => written(brand.name)),
    written,
  );
}

const asIs = (text: string) => text;

function brandHtml(html: string, brand: Brand): string {
  const facts = JSON.stringify(publicBrand(brand)).replaceAll("<", "\\u003c");
  const outside = (part: string) =>
    fillPlanFacts(
      part.replace(names, () => escapeHtml(brand.name)),
      escapeHtml,
    );
  let end = 0;
  let filled = "";
  for (const found of html.matchAll(scripts)) {
    const [whole, open = "", code = "", close = ""] = found;
    const isBrand = /\bid="brand"/.test(open);
    filled += outside(html.slice(end, found.index));
    const named = fillPlanFacts(
      code.replace(names, () => brand.name),
      asIs,
    );
    const isData = open.includes("application/ld+json");
    filled += open + (isBrand ? facts : isData ? withoutOurPictures(named, brand) : named) + close;
    end = found.index + whole.length;
  }
  filled += outside(html.slice(end));
  const styled = filled.replace(
    /(<style id="brand-style"[^>]*>)(<\/style>)/,
    (_, open, close) => open + styleOf(brand) + close,
  );
  if (!brand.isOwn) return styled;
  const about = withoutOwnAbout(styled);
  // Our social card shows our name.
  return brand.socialImage
    ? about
    : about
        .replace(/<meta (property="og:image(:\w+)?"|name="twitter:image") [^>]*>/g, "")
        .replace('content="summary_large_image"', 'content="summary"');
}

/** The about page without the origin of our name. */
function withoutOwnAbout(html: string): string {
  const [picture = "", srcSet] =
    new RegExp(`<img ${ownAboutAttribute}="" [^>]*srcSet="([^"]+)"[^>]*>`).exec(html) ?? [];
  const withoutPicture = html.replace(picture, "").replace(aboutLead.ours, aboutLead.other);
  return srcSet === undefined
    ? withoutPicture
    : withoutPicture.replace(/<link rel="preload" as="image"[^>]*>/g, (link) => (link.includes(srcSet) ? "" : link));
}

/** Structured data for search engines, without our card and icon, which this server does not serve. */
function withoutOurPictures(json: string, { isOwn, socialImage, icon }: Brand): string {
  if (!isOwn) return json;
  const left = [...(socialImage ? [] : ["screenshot", "image"]), ...(icon ? [] : ["logo"])];
  const facts: unknown = JSON.parse(json, (key, value) => (left.includes(key) ? undefined : value));
  return JSON.stringify(facts).replaceAll("<", "\\u003c");
}

/** The wordmark's height, relative to the font size it replaces. */
const logoHeightEm = 1.4;
const widestLogoEm = 9;

function styleOf({ colours, logo, logoDark, plans }: Brand): string {
  const rules: string[] = [];
  // The built page has what other installations show. It is hidden before the first paint.
  if (isPrivate()) rules.push(privateStyle);
  if (plans?.limits.guest.credits === 0) rules.push(".for-guests{display:none!important}");
  if (colours) {
    const { paper, darkroom } = colours;
    const both = (part: keyof typeof paper) => `light-dark(${paper[part]},${darkroom[part]})`;
    rules.push(
      `:root{--color-accent:${both("accent")};--color-accent-fill:${both("fill")};--color-accent-fill-hover:${both("fillHover")};--color-on-accent:${both("onFill")};--color-accent-ink:${both("text")}}`,
      ".wordmark{background:none;color:var(--color-accent-ink)}",
    );
  }
  if (logo) {
    const width = Math.min(widestLogoEm, (logo.width / logo.height) * logoHeightEm);
    rules.push(
      `.wordmark{display:inline-block;width:${width.toFixed(2)}em;height:${logoHeightEm}em;overflow:hidden;background:url(${brandPaths.logo}) left center/contain no-repeat;color:transparent;white-space:nowrap;vertical-align:middle;-webkit-print-color-adjust:exact;print-color-adjust:exact}`,
    );
  }
  if (logoDark) {
    const dark = `.wordmark{background-image:url(${brandPaths.logoDark})}`;
    rules.push(
      `:root[data-light="darkroom"] ${dark}`,
      `@media (prefers-color-scheme:dark){:root:not([data-light="paper"]) ${dark}}`,
    );
  }
  return rules.join("");
}

/** The paths of the operator's pictures. */
export const brandPaths = { logo: "/brand/logo", logoDark: "/brand/logo-dark" } as const;

type Legal = { name: "terms" | "policy"; brand: Brand };

/**
 * Replaces our legal text with the operator's, or with ours filled with the operator's data: in the page, and in the data
 * that it or another page loads. Both contain it as a JSON string.
 */
function replaceLegal(text: string, { isData, ...legal }: Legal & { isData: boolean }): string {
  if (isData) return JSON.stringify(replaceStrings(JSON.parse(text), legal).value);
  let original: string | undefined;
  const filled = text.replace(/(streamController\.enqueue\()("(?:[^"\\]|\\.)*")(\))/g, (_, open, literal, close) => {
    // The router writes a JSON string as a JavaScript literal, with `<` as `\u003c`.
    const stream: unknown = JSON.parse(literal);
    if (typeof stream !== "string" || !stream.trimStart().startsWith("[")) return open + literal + close;
    const { value, found } = replaceStrings(JSON.parse(stream), legal);
    original ??= found;
    return open + JSON.stringify(`${JSON.stringify(value)}\n`).replaceAll("<", "\\u003c") + close;
  });
  if (original === undefined || !filled.includes(original))
    throw new Error(`The built page /${legal.name} has no legal text.`);
  return filled.replace(original, () => legalHtml(original ?? "", legal));
}

function replaceStrings(value: unknown, legal: Legal): { value: unknown; found: string | undefined } {
  if (!Array.isArray(value)) throw new Error(`The data of /${legal.name} is not as the build writes it.`);
  const start = `<div data-legal="${legal.name}">`;
  const found = value.find((one): one is string => typeof one === "string" && one.startsWith(start));
  if (found === undefined) throw new Error(`The data of /${legal.name} has no legal text.`);
  return { value: value.map((one) => (one === found ? legalHtml(found, legal) : one)), found };
}

function legalHtml(original: string, { name, brand }: Legal): string {
  const { entity, governingLaw, texts } = brand.legal;
  const own = texts[name];
  if (own) return own.html;
  const operator = entity ? `${escapeHtml(entity)}, ${unnamedOperator.operator}` : unnamedOperator.operator;
  const law = governingLaw ? `the law of ${escapeHtml(governingLaw)}` : unnamedOperator.governingLaw;
  return original
    .replace(unnamedOperator.operator, () => operator)
    .replace(unnamedOperator.governingLaw, () => law)
    .replace(
      /(<section aria-labelledby="contact">[\s\S]*?)(<\/div><\/section>)/,
      (_, contact, end) => contact + contactHtml(brand) + end,
    );
}

/** Who is responsible for the service, below our own contact text. */
function contactHtml({ legal: { entity, address, taxNumber, grievanceOfficer }, supportEmail }: Brand): string {
  const mailTo = (email: string) => `<a href="mailto:${escapeHtml(email)}">${escapeHtml(email)}</a>`;
  const lines = [
    entity && escapeHtml(entity),
    address && escapeHtml(address).replaceAll("\n", "<br>"),
    taxNumber && `Tax number: ${escapeHtml(taxNumber)}`,
    supportEmail && `Email: ${mailTo(supportEmail)}`,
  ].filter(Boolean);
  const officer =
    grievanceOfficer &&
    `Grievance officer: ${escapeHtml(grievanceOfficer.name)}, ${mailTo(grievanceOfficer.email)}${grievanceOfficer.phone ? `, ${escapeHtml(grievanceOfficer.phone)}` : ""}`;
  return [lines.length > 0 && `<p>${lines.join("<br>")}</p>`, officer && `<p>${officer}</p>`].filter(Boolean).join("");
}
