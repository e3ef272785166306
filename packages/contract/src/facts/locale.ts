/** The language and region in which pages and mails write dates and numbers. */
export const locale = "en-US";
