import { escapeHtml } from "@tintype/contract";
import { colourSlots, nameSlot } from "./brand/brand-mail.ts";

export type MailParts = {
  /** The heading. */
  title: string;
  /** Only if the reader's address is verified: otherwise a name would be a way to send a stranger a message. */
  name?: string | undefined;
  /** Plain text, one paragraph each. */
  paragraphs: readonly string[];
  /** Label and value pairs, as in a receipt. */
  facts?: readonly (readonly [label: string, value: string])[];
  link?: { label: string; url: string };
};

const sans = "font-family:Inter,system-ui,-apple-system,'Segoe UI',sans-serif";
const serif = "font-family:Fraunces,'Iowan Old Style',Georgia,serif";

/** A mail as plain text and as HTML: ink on paper, one accent, no remote resources. */
export function renderMail({ title, name, paragraphs, facts = [], link }: MailParts): { text: string; html: string } {
  const hello = name ? `Hello ${name},` : "Hello,";
  const lines = [
    hello,
    ...paragraphs,
    ...(facts.length > 0 ? [facts.map(([label, value]) => `${label}: ${value}`).join("\n")] : []),
  ];
  const text = [...lines, ...(link ? [`${link.label}: ${link.url}`] : []), nameSlot].join("\n\n");
  const paragraph = (content: string) => `<p style="margin:0 0 16px">${escapeHtml(content)}</p>`;
  const row = ([label, value]: readonly [string, string]) =>
    `<tr><td style="padding:6px 24px 6px 0;color:#665f56">${escapeHtml(label)}</td><td style="padding:6px 0">${escapeHtml(value)}</td></tr>`;
  const html = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title></head>
<body style="margin:0;padding:32px 16px;background:#fbf9f6;color:#16130f;${sans};font-size:16px;line-height:1.55">
<div style="max-width:520px;margin:0 auto">
<p style="margin:0 0 24px;${serif};font-size:20px;font-weight:600;color:${colourSlots.name}">${nameSlot}</p>
<h1 style="margin:0 0 24px;${serif};font-size:28px;font-weight:500;line-height:1.15">${escapeHtml(title)}</h1>
${[hello, ...paragraphs].map(paragraph).join("\n")}
${facts.length > 0 ? `<table role="presentation" style="margin:0 0 24px;border-collapse:collapse;font-variant-numeric:tabular-nums">${facts.map(row).join("")}</table>` : ""}
${link ? `<p style="margin:24px 0"><a href="${escapeHtml(link.url)}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:${colourSlots.fill};color:${colourSlots.onFill};text-decoration:none;font-weight:600">${escapeHtml(link.label)}</a></p>` : ""}
</div>
</body>
</html>
`;
  return { text: `${text}\n`, html };
}
