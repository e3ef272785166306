/** The language and region in which pages and mails write dates, numbers and names of countries. */
export const locale = "en-US";

/** Lists in sentences have no comma before "and", as in all texts. */
export const listLocale = "en-GB";

/** Prices are grouped as where their currency is used: ₹1,00,000. */
export const priceLocale = (currency: string): string => (currency === "INR" ? "en-IN" : locale);
