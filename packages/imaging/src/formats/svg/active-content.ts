import type { CustomPlugin, XastElement } from "svgo";

/** Removes content that a browser would run or fetch, and librsvg never does: the drawing stays as it is. */
export type ActiveContent = "scripts" | "event handlers" | "addresses that run scripts" | "references to other files";

const scriptElements = new Set(["script", "handler", "listener"]);
/** HTML inside an SVG that loads or runs something by being there. */
const loadingElements = new Set("iframe object embed frame frameset applet base link meta portal".split(" "));
/** Attributes of SVG, and of HTML inside it, whose value is an address that is fetched. */
const addressAttributes = new Set(
  "href src srcset data action formaction poster background ping xml:base longdesc codebase archive".split(" "),
);

/** An svgo plugin that removes what would run or be fetched, and adds each kind to `found`. */
export function removeActiveContent(found: Set<ActiveContent>): CustomPlugin {
  return {
    name: "removeActiveContent",
    fn: () => ({
      instruction: {
        enter(node, parent) {
          if (node.name === "xml") return;
          parent.children = parent.children.filter((child) => child !== node);
          found.add("references to other files");
        },
      },
      element: {
        enter(node, parent) {
          const name = localName(node.name);
          if (scriptElements.has(name) || loadingElements.has(name) || animatesActiveContent(node)) {
            parent.children = parent.children.filter((child) => child !== node);
            found.add(loadingElements.has(name) ? "references to other files" : "scripts");
            return;
          }
          for (const [attribute, value] of Object.entries(node.attributes)) {
            const finding = findingIn(name, { attribute: attribute.toLowerCase(), value });
            if (finding === undefined) continue;
            found.add(finding);
            const kept = finding === "references to other files" ? withoutReferences(value) : "";
            if (isStyled(attribute) && kept !== "" && !refersElsewhere(kept)) node.attributes[attribute] = kept;
            else delete node.attributes[attribute];
          }
          if (name !== "style") return;
          for (const child of node.children) {
            if ((child.type !== "text" && child.type !== "cdata") || !refersElsewhere(child.value)) continue;
            found.add("references to other files");
            const kept = withoutReferences(child.value);
            // Escaped beyond recognition: the whole sheet goes.
            child.value = refersElsewhere(kept) ? "" : kept;
          }
        },
      },
    }),
  };
}

const localName = (name: string) => name.slice(name.indexOf(":") + 1).toLowerCase();

/** Spaces and control characters within a scheme are skipped by browsers. */
const compact = (value: string) => value.replaceAll(/[\p{Cc}\s]/gu, "").toLowerCase();

/** An animation may set an address or a handler as well as an attribute can. */
function animatesActiveContent({ name, attributes }: XastElement): boolean {
  if (!/^(set|animate)/.test(localName(name))) return false;
  const target = localName(attributes["attributeName"] ?? "");
  return target.startsWith("on") || target === "href";
}

type Attribute = { attribute: string; value: string };

function findingIn(element: string, { attribute, value }: Attribute): ActiveContent | undefined {
  if (attribute.startsWith("on") || attribute.startsWith("ev:")) return "event handlers";
  const address = compact(value);
  if (/^(javascript|vbscript|livescript):/.test(address)) return "addresses that run scripts";
  if (attribute === "srcdoc") return "scripts";
  if (addressAttributes.has(attribute) || localName(attribute) === "href") {
    // A link is followed by a person, never by the drawing; data behind one is a page with scripts.
    if (element === "a") return address.startsWith("data:") ? "addresses that run scripts" : undefined;
    if (address === "" || address.startsWith("#")) return undefined;
    return address.startsWith("data:") && /image$/.test(element) ? undefined : "references to other files";
  }
  return isStyled(attribute) && refersElsewhere(value) ? "references to other files" : undefined;
}

/** Attributes whose value is CSS: `style`, and each property that takes `url()`. */
const isStyled = (attribute: string) =>
  /^(style|fill|stroke|filter|mask|clip-path|marker(-\w+)?|cursor|color-profile)$/i.test(attribute);

const reference = /url\(\s*(?!["']?\s*(?:#|data:))(?:"[^"]*"|'[^']*'|[^)]*)\)?/gi;
const imports = /@import[^;]*;?/gi;
const imageFunctions = /(?:-webkit-)?(?:image-set|image|src)\([^)]*\)?/gi;

const withoutReferences = (css: string): string =>
  css.replaceAll(imports, "").replaceAll(reference, "none").replaceAll(imageFunctions, "none");

/** Whether CSS names something outside of the file, also where letters are written as escapes. */
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
