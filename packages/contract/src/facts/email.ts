/** The simple shape of docs/product.md: something, an at sign, something with a dot, no blanks. */
export const looksLikeEmail = (value: string): boolean => /^[^\s@]+@[^\s@]+[.][^\s@]+$/.test(value);
