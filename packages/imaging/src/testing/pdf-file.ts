type Page = {
  /** Points: left, bottom, right, top. */
  box?: readonly number[];
  /** Operators of the content stream. */
  content?: string;
  /** Further entries of the page's dictionary. */
  entries?: string;
};

type Pdf = {
  pages?: readonly Page[];
  /** Indirect objects for references, numbered from `firstObject` on. */
  objects?: readonly string[];
  /** Further entries of the catalog and of the trailer. */
  catalog?: string;
  trailer?: string;
};

/** The number of the first of `objects`. */
export const firstObject = 3;

/** A PDF (ISO 32000-1, 7.5) of the given pages; by default one page with a red rectangle. */
export function pdfFile({ pages = [{}], objects = [], catalog = "", trailer = "" }: Pdf = {}): Buffer {
  const kids: string[] = [];
  const drawn: string[] = [];
  for (const { box = [0, 0, 40, 20], content = "1 0 0 rg 0 0 40 20 re f", entries = "" } of pages) {
    const at = firstObject + objects.length + drawn.length;
    kids.push(`${at} 0 R`);
    drawn.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [${box.join(" ")}] /Contents ${at + 1} 0 R ${entries} >>`,
      pdfStream(content),
    );
  }
  const root = `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`;
  const tree = `<< /Type /Pages /Kids [${kids.join(" ")}] /Count ${kids.length} >>`;
  const parts = ["%PDF-1.7\n"];
  const offsets: number[] = [];
  let at = parts.join("").length;
  for (const [i, object] of [root, tree, ...objects, ...drawn].entries()) {
    const text = `${i + 1} 0 obj\n${object}\nendobj\n`;
    offsets.push(at);
    parts.push(text);
    at += text.length;
  }
  const entries = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`);
  parts.push(
    `xref\n0 ${offsets.length + 1}\n0000000000 65535 f \n${entries.join("")}`,
    `trailer\n<< /Size ${offsets.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${at}\n%%EOF\n`,
  );
  return Buffer.from(parts.join(""), "latin1");
}

/** A stream object, with further entries in its dictionary. */
export const pdfStream = (content: string, entries = ""): string =>
  `<< ${entries} /Length ${content.length} >>\nstream\n${content}\nendstream`;

/** Content that fills the page with a colour, given as operands of `rg`. */
export const filled = (colour: string): string => `${colour} rg 0 0 1000 1000 re f`;
