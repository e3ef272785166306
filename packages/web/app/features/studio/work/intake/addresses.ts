/** The URLs in a text that consists of nothing else; otherwise none. */
export function addressesIn(text: string): readonly string[] {
  const parts = text.split(/\s+/).filter(Boolean);
  return parts.every((part) => /^https?:\/\/./i.test(part) && URL.canParse(part)) ? parts : [];
}

/** The last path segment. The query is left out, since it may hold a signature. */
export function nameInAddress(address: string): string {
  const { pathname, hostname } = new URL(address);
  const last = pathname.split("/").at(-1) || hostname;
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}
