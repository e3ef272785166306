import type { WrittenStep } from "../schemas/recipe.ts";

type Preset = { name: string; about: string; source: string; steps: WrittenStep[] };

const fill = (width: number, height: number): WrittenStep => ({
  resize: { width, height, method: "fill", enlarge: false },
});
const inside = (side: number): WrittenStep => ({ resize: { width: side, height: side, method: "fit" } });
const onWhite = (side: number): WrittenStep => ({
  resize: { width: side, height: side, method: "fit", canvas: "#ffffff" },
});
/** The limit is seldom reached: the quality decides, and the limit holds for difficult pictures. */
const within = (maxBytes: number) => ({ quality: 80, max_bytes: maxBytes, allow_resize: true });
const jpeg = (maxBytes?: number): WrittenStep => ({
  convert: { target_format: "jpeg", ...(maxBytes === undefined ? {} : within(maxBytes)) },
});
const webp = (maxBytes: number): WrittenStep => ({ convert: { target_format: "webp", ...within(maxBytes) } });
const own = "Our own choice.";

/** Recipes that ship with the product. None upscales: a smaller picture keeps its size. Each size is listed once, with its source. */
export const presets: readonly Preset[] = [
  { name: "web-hero", about: "Website banner", source: own, steps: [inside(1920), webp(300_000)] },
  { name: "email", about: "Email", source: own, steps: [inside(1200), jpeg(200_000)] },
  { name: "avatar", about: "Avatar", source: own, steps: [fill(400, 400), webp(50_000)] },
  {
    name: "amazon-product",
    about: "Amazon product on white",
    source: "Amazon Seller Central, Product image requirements: pure white, 1,600 px or more on the longest side",
    steps: [{ "remove-background": { background: "#ffffff", crop: true, margin: 5 } }, onWhite(2000), jpeg(10_000_000)],
  },
  { name: "square-on-white", about: "Square on white", source: own, steps: [onWhite(1000), jpeg(1_000_000)] },
  {
    name: "ebay-product",
    about: "eBay product",
    source: "eBay, Picture policy: at least 500 px, 1,600 px recommended, at most 12 MB",
    steps: [inside(1600), jpeg(12_000_000)],
  },
  {
    name: "etsy-listing",
    about: "Etsy listing",
    source: "Etsy Help, Image requirements and best practices: 2,000 px on the shortest side",
    steps: [fill(2700, 2025), jpeg(1_000_000)],
  },
  {
    name: "instagram-portrait",
    about: "Instagram portrait",
    source: "Instagram Help, Image resolution of photos you share: up to 1,080 px wide",
    steps: [fill(1080, 1350), jpeg()],
  },
  {
    name: "link-preview",
    about: "Link preview (Open Graph)",
    source: "Meta for Developers, Images in link shares: 1,200 x 630 px",
    steps: [fill(1200, 630), jpeg(1_000_000)],
  },
  {
    name: "youtube-thumbnail",
    about: "YouTube thumbnail",
    source: "YouTube Help, Add video thumbnails: 1,280 x 720 px, under 2 MB",
    steps: [fill(1280, 720), jpeg(2_000_000)],
  },
  {
    name: "pinterest-pin",
    about: "Pinterest pin",
    source: "Pinterest Help, Pin specs: 1,000 x 1,500 px",
    steps: [fill(1000, 1500), jpeg()],
  },
];
