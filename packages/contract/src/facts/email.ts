/** The simple check of docs/product.md: text, an at sign, text with a dot, no whitespace. */
export const looksLikeEmail = (value: string): boolean => /^[^\s@]+@[^\s@]+[.][^\s@]+$/.test(value);
