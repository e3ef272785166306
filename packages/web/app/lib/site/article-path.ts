// Separate from pages.ts, so that a link to an article does not load the metadata of all pages.

export const articlePath = (slug: string): string => `/blog/${slug}`;
