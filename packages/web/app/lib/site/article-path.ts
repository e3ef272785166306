// Apart from pages.ts: what only links to an article need not load the heads of all pages.

export const articlePath = (slug: string): string => `/blog/${slug}`;
