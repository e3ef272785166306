/** Characters, as a person counts them. */
const longest = 80;
/** A longer name from elsewhere is truncated before it is read. */
const maxReadLength = 1000;

/** Control characters, line and paragraph separators, and marks that change the direction of text. */
const unseen = /[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u;
/**
 * Whatever a mail program turns into a link: a scheme, `www.`, a word with a dot and a top-level domain, an IPv4 address.
 * "J. R. R. Tolkien" and "Dr. Strange" pass; "Dr.Strange" and "anna.smith" look like a domain and do not.
 */
const link =
  /[a-z][a-z0-9+.-]*:\/\/\S*|\bwww\.\S*|[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*\.\p{L}{2,}\S*|\d{1,3}(?:\.\d{1,3}){3}\S*/iu;

/** A fullwidth letter or dot looks like the plain one, and mail programs turn it into the same link. */
const plain = (name: string): string => name.normalize("NFKC").replace(/[\u3002\uff0e\uff61]/g, ".");

/** Why a name is refused, as a sentence; undefined for a valid one. */
export function refuseName(name: string): string | undefined {
  const trimmed = name.trim();
  if (trimmed === "") return "Please enter your name.";
  if ([...trimmed].length > longest) return `Please enter a name of at most ${longest} characters.`;
  if (unseen.test(trimmed)) return "Please enter a name without line breaks and control characters.";
  if (link.test(plain(trimmed))) return "Please enter a name without a web address.";
  return undefined;
}

/** The name in a form that is safe to show and mail: names from elsewhere, or from before the rule, are cleaned. */
export function cleanName(name: string): string {
  const seen = plain(name.slice(0, maxReadLength))
    .replace(new RegExp(unseen, "gu"), " ")
    .replace(new RegExp(link, "giu"), " ");
  return [...seen.replace(/\s+/g, " ").trim()].slice(0, longest).join("").trim();
}
