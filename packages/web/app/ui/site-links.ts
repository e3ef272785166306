export type SiteLink = { to: string; label: string };

/** In the header, in this order. */
export const mainLinks: readonly SiteLink[] = [
  { to: "/pricing", label: "Pricing" },
  { to: "/about", label: "About" },
  { to: "/blog", label: "Blogs" },
  { to: "/contact", label: "Contact" },
  { to: "/faqs", label: "FAQs" },
];

/** In the footer: the pages of the tools. */
export const toolLinks: readonly SiteLink[] = [
  { to: "/compress-image", label: "Compress images" },
  { to: "/resize-image", label: "Resize images" },
  { to: "/upscale-image", label: "Upscale images" },
  { to: "/remove-background", label: "Remove backgrounds" },
  { to: "/convert", label: "Convert images" },
];

/** In the footer: the other pages. */
export const moreLinks: readonly SiteLink[] = [
  { to: "/api/docs", label: "API reference" },
  { to: "/terms", label: "Terms & Conditions" },
  { to: "/policy", label: "Privacy Policy" },
];
