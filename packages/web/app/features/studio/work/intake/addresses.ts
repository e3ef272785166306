/** The addresses that a text consists of; none where it says anything else. */
export function addressesIn(text: string): readonly string[] {
  const parts = text.split(/\s+/).filter(Boolean);
  return parts.every((part) => /^https?:\/\/./i.test(part) && URL.canParse(part)) ? parts : [];
}

/** The last part of the path; its query may hold a signature, and is no part of a name. */
export function nameInAddress(address: string): string {
  const { pathname, hostname } = new URL(address);
  const last = pathname.split("/").at(-1) || hostname;
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}
