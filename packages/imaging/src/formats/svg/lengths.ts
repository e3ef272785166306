/** CSS Values 4, section 6.2: pixels per unit. */
const pixelsPer: Record<string, number> = { in: 96, cm: 96 / 2.54, mm: 96 / 25.4, q: 96 / 101.6, pt: 96 / 72, pc: 16 };

const number = String.raw`[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?`;
const absolute = new RegExp(String.raw`(?<![\w#.-])(${number})(mm|cm|in|pt|pc|q)(?![\w-])`, "gi");

/** Converts absolute lengths to pixels at 96 per inch, as browsers do: librsvg under libvips assumes 72. */
export const inPixels = (value: string): string =>
  value.replaceAll(absolute, (_, amount: string, unit: string) =>
    px(Number(amount) * (pixelsPer[unit.toLowerCase()] ?? 1)),
  );

const px = (value: number) => `${Number(value.toFixed(6))}px`;

/** Attributes whose value is a length or a list of lengths (SVG 2, appendix on attributes and properties). */
const lengthAttribute =
  /^(x|y|width|height|r|rx|ry|cx|cy|fx|fy|fr|x1|y1|x2|y2|dx|dy|markerWidth|markerHeight|refX|refY|textLength|startOffset|font-size|stroke-width|stroke-dasharray|stroke-dashoffset|letter-spacing|word-spacing|baseline-shift|kerning)$/;

/** Converts the lengths of a drawing, in attributes and style sheets, to pixels. */
export const withPixels = (plain: string): string =>
  hasAbsolute.test(plain)
    ? plain
        .replaceAll(/(\s([\w:-]+)\s*=\s*)("[^"]*"|'[^']*')/g, (whole, start: string, name: string, value: string) => {
          if (name === "style") return start + inCss(value.slice(1, -1), value.charAt(0));
          return lengthAttribute.test(name)
            ? start + value.charAt(0) + inPixels(value.slice(1, -1)) + value.charAt(0)
            : whole;
        })
        .replaceAll(
          /(<(?:\w+:)?style(?:\s[^>]*)?>)([\s\S]*?)(<\/)/g,
          (_, open: string, css: string, close: string) => open + inCss(css) + close,
        )
    : plain;

const hasAbsolute = /\d\s*(?:mm|cm|in|pt|pc|q)(?![\w-])/i;

/** The content of `url()` and of strings is never a length, whatever it looks like. */
const inCss = (css: string, quote = ""): string =>
  quote +
  css.replaceAll(/url\((?:[^)]*)\)|"[^"]*"|'[^']*'|[^"'u]+|u/gi, (part) =>
    /^(?:url\(|["'])/i.test(part) ? part : inPixels(part),
  ) +
  quote;

/** Evaluates `calc()` of numbers and pixels; any other stays. */
export function withoutCalc(value: string): string {
  return value.replaceAll(/calc\(((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)/gi, (whole, expression: string) => {
    const result = calculate(inPixels(expression));
    return result === undefined ? whole : `${Number(result.toFixed(6))}${/px/.test(inPixels(expression)) ? "px" : ""}`;
  });
}

function calculate(expression: string): number | undefined {
  const tokens = expression.match(/(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?(?:px)?|[-+*/()]|\S/gi) ?? [];
  let at = 0;
  const factor = (): number => {
    const token = tokens[at++] ?? "";
    if (token === "(") {
      const value = sum();
      return tokens[at++] === ")" ? value : Number.NaN;
    }
    if (token === "-") return -factor();
    if (token === "+") return factor();
    return /^[\d.]/.test(token) ? Number.parseFloat(token) : Number.NaN;
  };
  const product = (): number => {
    let value = factor();
    for (; tokens[at] === "*" || tokens[at] === "/"; )
      value = tokens[at++] === "*" ? value * factor() : value / factor();
    return value;
  };
  const sum = (): number => {
    let value = product();
    for (; tokens[at] === "+" || tokens[at] === "-"; )
      value = tokens[at++] === "+" ? value + product() : value - product();
    return value;
  };
  const result = sum();
  return at === tokens.length && Number.isFinite(result) ? result : undefined;
}
