import type { ActiveContent } from "@tintype/contract";
import type { CustomPlugin, XastElement } from "svgo";

const scriptElements = new Set(["script", "handler", "listener"]);
/** HTML elements inside an SVG that load or run something by being present. */
const loadingElements = new Set("iframe object embed frame frameset applet base link meta portal".split(" "));
/** Attributes of SVG, and of HTML inside it, with a URL that is fetched. */
const addressAttributes = new Set(
  "href src srcset data action formaction poster background ping xml:base longdesc codebase archive".split(" "),
);

/**
 * An svgo plugin that removes content that a browser would run or fetch, and adds each kind to `found`. librsvg never
 * does either, so the drawing stays the same.
 */
export function removeActiveContent(found: Set<ActiveContent>): CustomPlugin {
  return {
    name: "removeActiveContent",
    fn: () => ({
      instruction: {
        enter(node, parent) {
          if (node.name === "xml") return;
          parent.children = parent.children.filter((child) => child !== node);
          found.add("other-files");
        },
      },
      element: {
        enter(node, parent) {
          const name = localName(node.name);
          if (scriptElements.has(name) || loadingElements.has(name) || animatesActiveContent(node)) {
            parent.children = parent.children.filter((child) => child !== node);
            found.add(loadingElements.has(name) ? "other-files" : "scripts");
            return;
          }
          for (const [attribute, value] of Object.entries(node.attributes)) {
            const finding = findingIn(name, { attribute: attribute.toLowerCase(), value });
            if (finding === undefined) continue;
            found.add(finding);
            const kept = finding === "other-files" ? withoutReferences(value) : "";
            if (isStyled(attribute) && kept !== "" && !refersElsewhere(kept)) node.attributes[attribute] = kept;
            else delete node.attributes[attribute];
          }
          if (name !== "style") return;
          for (const child of node.children) {
            if ((child.type !== "text" && child.type !== "cdata") || !refersElsewhere(child.value)) continue;
            found.add("other-files");
            const kept = withoutReferences(child.value);
            // Too heavily escaped to be cleaned: drop the whole sheet.
            child.value = refersElsewhere(kept) ? "" : kept;
          }
        },
      },
    }),
  };
}

const localName = (name: string) => name.slice(name.indexOf(":") + 1).toLowerCase();

/** Browsers ignore whitespace and control characters within a scheme. */
const compact = (value: string) => value.replaceAll(/[\p{Cc}\s]/gu, "").toLowerCase();

/** An animation can set a URL or a handler just like an attribute. */
function animatesActiveContent({ name, attributes }: XastElement): boolean {
  if (!/^(set|animate)/.test(localName(name))) return false;
  const target = localName(attributes["attributeName"] ?? "");
  return target.startsWith("on") || target === "href";
}

type Attribute = { attribute: string; value: string };

function findingIn(element: string, { attribute, value }: Attribute): ActiveContent | undefined {
  if (attribute.startsWith("on") || attribute.startsWith("ev:")) return "event-handlers";
  const address = compact(value);
  if (/^(javascript|vbscript|livescript):/.test(address)) return "active-addresses";
  if (attribute === "srcdoc") return "scripts";
  if (addressAttributes.has(attribute) || localName(attribute) === "href") {
    // A link is followed by the user, never by rendering; a `data:` URL behind one is a page with scripts.
    if (element === "a") return address.startsWith("data:") ? "active-addresses" : undefined;
    if (address === "" || address.startsWith("#")) return undefined;
    return address.startsWith("data:") && /image$/.test(element) ? undefined : "other-files";
  }
  return isStyled(attribute) && refersElsewhere(value) ? "other-files" : undefined;
}

/** Attributes with CSS values: `style`, and each property that accepts `url()`. */
const isStyled = (attribute: string) =>
  /^(style|fill|stroke|filter|mask|clip-path|marker(-\w+)?|cursor|color-profile)$/i.test(attribute);

const reference = /url\(\s*(?!["']?\s*(?:#|data:))(?:"[^"]*"|'[^']*'|[^)]*)\)?/gi;
const imports = /@import[^;]*;?/gi;
const imageFunctions = /(?:-webkit-)?(?:image-set|image|src)\([^)]*\)?/gi;

const withoutReferences = (css: string): string =>
  css.replaceAll(imports, "").replaceAll(reference, "none").replaceAll(imageFunctions, "none");

/** Whether CSS references anything outside the file, also through character escapes. */
function refersElsewhere(css: string): boolean {
  const written = css
    .replaceAll(/\/\*[\s\S]*?\*\//g, "")
    .replaceAll(/\\([0-9a-f]{1,6})\s?/gi, (_, code: string) => {
      const point = Number.parseInt(code, 16);
      return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : "";
    })
    .replaceAll(/\\(?=\S)/g, "");
  return withoutReferences(written) !== written;
}
