import { expect, test } from "vitest";
import { publicPaths } from "../../lib/site/pages.ts";
import { articlePath, articleSlugs } from "../../lib/site/paths.ts";
import { loader as feed } from "./feed.ts";
import { loader as llms } from "./llms.ts";
import { loader as robots } from "./robots.ts";
import { loader as sitemap } from "./sitemap.ts";

const origin = "https://origin.tintype.invalid";

test("the sitemap names every public page once, whole, and no other", async () => {
  const xml = await sitemap().text();
  const found = [...xml.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, url]) => url);
  expect(found.toSorted()).toEqual(publicPaths.map((path) => origin + path).toSorted());
  expect(xml).not.toContain("/account");
});

test("robots are let in, but not where programs and persons have their own", async () => {
  const text = await robots().text();
  expect(text).toContain(`Sitemap: ${origin}/sitemap.xml`);
  expect(text).toMatch(/^Disallow: \/account$/m);
  expect(text).not.toMatch(/^Disallow: \/$/m);
});

test("the feed has every article, with an id, a date and a summary", async () => {
  const xml = await feed().text();
  expect(xml.match(/<entry>/g)).toHaveLength(articleSlugs.length);
  for (const slug of articleSlugs) expect(xml).toContain(`<id>${origin}${articlePath(slug)}</id>`);
  expect(xml.match(/<updated>\d{4}-\d\d-\d\dT00:00:00Z<\/updated>/g)).toHaveLength(articleSlugs.length + 1);
});

test("llms.txt links every public page but the one it describes, and the API", async () => {
  const text = await llms().text();
  for (const path of publicPaths.filter((one) => one !== "/")) expect(text).toContain(`(${origin}${path})`);
  expect(text).toContain("/api/openapi.json");
});
