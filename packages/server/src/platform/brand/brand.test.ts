import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readBrand } from "./brand.ts";
import { tintypePlans } from "./plan-rules.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "tintype-brand-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const write = (name: string, content: string | Uint8Array) => writeFileSync(join(folder, name), content);
const read = (content: string) => readBrand({ content, file: undefined, dataFolder: folder });
function faultOf(content: string): string {
  try {
    read(content);
  } catch (problem) {
    return problem instanceof Error ? problem.message : String(problem);
  }
  throw new Error("it was taken");
}

test("without a file the brand is Tintype's", () => {
  const brand = readBrand({ content: undefined, file: undefined, dataFolder: folder });
  expect(brand).toMatchObject({ name: "Tintype", fileName: "tintype", isOwn: false, logo: undefined });
});

test("the file is found in the data folder, and by its name elsewhere", () => {
  write("tintype.brand.yaml", "name: Salt & Silver\nlegal:\n  entity: Salt Ltd\n");
  const brand = readBrand({ content: undefined, file: undefined, dataFolder: folder });
  expect(brand).toMatchObject({ name: "Salt & Silver", fileName: "salt-silver", isOwn: true });
  expect(brand.legal.entity).toBe("Salt Ltd");
  write("other.yaml", "name: Other");
  const named = readBrand({ content: undefined, file: join(folder, "other.yaml"), dataFolder: folder });
  expect(named.name).toBe("Other");
  expect(() => readBrand({ content: undefined, file: join(folder, "none.yaml"), dataFolder: folder })).toThrow(
    /TINTYPE_BRAND_FILE: .*none[.]yaml cannot be read/,
  );
  rmSync(join(folder, "tintype.brand.yaml"));
});

test("a fault names the line, the field, what is expected and what came", () => {
  expect(faultOf("name: Salt\nsupport_email: nobody\n")).toBe(
    'TINTYPE_BRAND:2: support_email: expected an e-mail address, received "nobody"',
  );
  expect(faultOf('name: Salt\ncolours:\n  accent: "green"\n')).toBe(
    'TINTYPE_BRAND:3: colours.accent: expected a colour in quotes, like "#0b6e4f", received "green"',
  );
  // Unquoted, YAML takes it for a comment.
  expect(faultOf("colours:\n  accent: #0b6e4f\n")).toBe(
    "TINTYPE_BRAND:2: colours.accent: expected text (in quotes where it begins with #), received null",
  );
  expect(faultOf("name: 'a'\nname: 'b'\n")).toMatch(/^TINTYPE_BRAND:2: .*unique/);
  expect(faultOf("- name")).toMatch(/^TINTYPE_BRAND: expected fields/);
});

test("all faults are told at once, and an unknown field with the one that was meant", () => {
  expect(faultOf("nam: Salt\nlegal:\n  entitty: Salt Ltd\n").split("\n")).toEqual([
    'TINTYPE_BRAND:3: there is no field "legal.entitty". Did you mean "entity"?',
    'TINTYPE_BRAND:1: there is no field "nam". Did you mean "name"?',
  ]);
  expect(faultOf("shoe: 1")).toMatch(/Use one of: name, logo, logo_dark, icon/);
});

test("a name that ends a string in a script, an attribute or a header is refused", () => {
  for (const name of ["<b>", 'a"b', "a\\b", "{x}", "a\u0007b"])
    expect(faultOf(JSON.stringify({ name }))).toMatch(/^TINTYPE_BRAND:1: name: expected/);
  expect(read(JSON.stringify({ name: "O'Brien & Sons" })).fileName).toBe("o-brien-sons");
  expect(read(JSON.stringify({ name: "चित्र" })).fileName).toBe("pictures");
});

test("an accent that cannot be seen is refused at its line", () => {
  expect(faultOf('colours:\n  accent: "#ffe680"\n  accent_dark: "#ffe680"\n')).toMatch(
    /^TINTYPE_BRAND:2: colours[.]accent: #ffe680 has a contrast of/,
  );
  expect(faultOf('colours:\n  accent: "#0b2e4f"\n')).toMatch(/^TINTYPE_BRAND:2: colours[.]accent: .*accent_dark/);
});

test("pictures are read by their content, and the icon has to be square", () => {
  write("logo.svg", '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 50"/>');
  expect(read("logo: logo.svg").logo).toMatchObject({ type: "image/svg+xml", width: 200, height: 50 });
  write("logo.png", "no picture");
  expect(faultOf("name: Salt\nlogo: logo.png")).toBe(
    "TINTYPE_BRAND:2: logo: expected SVG or PNG with a size, and logo.png is none",
  );
  expect(faultOf("logo: none.png")).toBe("TINTYPE_BRAND:1: logo: the file none.png cannot be read");
  expect(faultOf("icon: logo.svg")).toMatch(/icon: expected PNG/);
});

const head = "---\nupdated: 2026-11-01\n---\n";
const seller = "legal:\n  entity: Salt Ltd\n  address: Pune\n";
test("invoices want a seller, a rule of tax that is whole, and numbers that GST allows", () => {
  const gst = 'kind: gst, gstin: 27AAPFU0939F1ZV, sac: "998314"';
  expect(read(`${seller}invoices: { tax: { ${gst} } }`).invoices).toMatchObject({
    prefix: "INV-",
    credit_prefix: "CN-",
    tax: { kind: "gst", rate_percent: 18 },
  });
  expect(faultOf(`invoices: { tax: { kind: none } }`)).toMatch(/:1: invoices: expected legal.entity and legal.address/);
  expect(faultOf(`${seller}invoices:\n  tax: { kind: gst, gstin: 27AAPFU0939F1ZW, sac: "998314" }`)).toMatch(
    /:5: invoices.tax.gstin: expected a GSTIN .*check digit is wrong, received "27AAPFU0939F1ZW"/,
  );
  expect(faultOf(`${seller}invoices:\n  tax: { kind: sales }`)).toMatch(
    /:5: invoices.tax.*expected kind: "gst", "vat" or "none"/,
  );
  expect(faultOf(`${seller}invoices:\n  tax: { ${gst}, rat_percent: 5 }`)).toMatch(/Did you mean "rate_percent"/);
  expect(faultOf(`${seller}invoices: { prefix: "INVOICES/{fy}/", tax: { ${gst} } }`)).toMatch(/GST allows 16/);
  expect(faultOf(`${seller}invoices: { prefix: CN-, tax: { kind: none } }`)).toMatch(/have to differ/);
});

test("letters that invoices cannot print are refused where the file asks for invoices", () => {
  const invoices = "invoices: { tax: { kind: none } }\n";
  const expected = "expected Latin, Greek, Cyrillic or Devanagari letters, which invoices can print, received";
  expect(faultOf(`${invoices}legal:\n  entity: 田中写真\n  address: Pune\n`)).toBe(
    `TINTYPE_BRAND:3: legal.entity: ${expected} "田"`,
  );
  expect(faultOf(`${invoices}legal:\n  entity: Salt\n  address: "1 Mill Road\\n東京"\n`)).toBe(
    `TINTYPE_BRAND:4: legal.address: ${expected} "東"`,
  );
  expect(faultOf(`name: 写真\n${seller}${invoices}`)).toBe(`TINTYPE_BRAND:1: name: ${expected} "写"`);
  expect(faultOf(`${seller}invoices: { footer: 東京, tax: { kind: none } }`)).toMatch(/:4: invoices.footer: .*"東"/);
  expect(faultOf(`${seller}invoices: { tax: { kind: none, note: 東京 } }`)).toMatch(/:4: invoices.tax.note: .*"東"/);
  expect(read(`${invoices}legal:\n  entity: चित्र Łódź\n  address: "Жукова 5\\nΑθήνα"\n`).invoices).toBeDefined();
  // Pages can display them.
  expect(read("legal:\n  entity: 田中写真\n").legal.entity).toBe("田中写真");
});

test("own terms are laid out like ours, and their raw HTML runs nothing", () => {
  write("terms.md", `${head}In **short**.\n\n## Who we are & what\n\nText <script>alert(1)</script> [us](/contact).\n`);
  const html = read("legal:\n  terms: terms.md").legal.texts.terms?.html;
  expect(html).toContain('<time datetime="2026-11-01">November 1, 2026</time>');
  expect(html).toContain('<h2 id="who-we-are-and-what">Who we are &amp; what</h2>');
  expect(html).toContain('<a href="/contact">us</a>');
  expect(html).toContain("<strong>short</strong>");
  expect(html).not.toContain("<script");
});

test("an own text without its day, with a script for a link or with a picture is refused", () => {
  const faultWith = (text: string) => {
    write("policy.md", text);
    return faultOf("legal:\n  policy: policy.md");
  };
  expect(faultWith("## A\n")).toMatch(/^TINTYPE_BRAND:2: legal[.]policy: policy[.]md has to begin with/);
  expect(faultWith("---\nupdated: soon\n---\n## A\n")).toMatch(/has to begin with/);
  expect(faultWith(`${head}## A\n[x](javascript:alert(1))`)).toMatch(/links to javascript:/);
  expect(faultWith(`${head}## A\n[x](//evil.example)`)).toMatch(/links to \/\//);
  expect(faultWith(`${head}## A\n![x](https://evil.example/a.png)`)).toMatch(/shows a picture/);
  expect(faultWith(`${head}## 規約\n\n## 規約\n`)).toMatch(/two headings are one anchor: 規約/);
  expect(faultWith(`${head}## A\n\n## A\n`)).toMatch(/two headings are one anchor: a/);
  expect(faultWith(`${head}no headings`)).toMatch(/has no section/);
});

const plans = (yaml: string) => read(`plans:\n${yaml}`).plans;

test("plans are Tintype's where the file leaves them, and all of them without it", () => {
  expect(read("name: Salt").plans).toBeUndefined();
  const table = plans(
    "  guest: { credits: 8 }\n  mini: { name: Starter, credits: 150, monthly: { USD: 3.5 } }\n  pro: { fast_lane_per_day: 2000, files_per_batch: 300 }\n",
  );
  expect(table?.labels).toEqual({ hobby: "Hobby", mini: "Starter", plus: "Plus", pro: "Pro" });
  expect(table?.prices.mini).toEqual({ monthly: { USD: 350, INR: 25_500 }, yearly: { USD: 3200, INR: 275_500 } });
  expect(table?.limits.guest).toEqual({ ...tintypePlans.limits.guest, credits: 8 });
  expect(table?.limits.mini).toEqual({ ...tintypePlans.limits.mini, credits: 150 });
  expect(table?.limits.pro).toMatchObject({ fastLanePerDay: 2000, filesPerBatch: 300, credits: 1000 });
  expect(table?.billedIn).toEqual({ other: "USD", countries: { IN: "INR" } });
  // Another brand read after it starts from Tintype's again.
  expect(plans("  mini: { name: Starter }\n")?.limits.guest.credits).toBe(5);
});

test("a country that nobody comes from, and a currency that GST cannot tell by, stop the start", () => {
  for (const code of ["UK", "EU", "XX"])
    expect(faultOf(`currencies: { other: USD, ${code}: INR }\n`)).toMatch(/expected "other" or a country of ISO 3166/);
  const gst = `${seller}invoices: { tax: { kind: gst, gstin: 27AAPFU0939F1ZV, sac: "998314" } }\n`;
  expect(read(`currencies: { other: USD, IN: INR }\n${gst}`).invoices).toBeDefined();
  for (const currencies of ["{ other: USD }", "{ other: INR }", "{ other: USD, IN: INR, NP: INR }"])
    expect(faultOf(`currencies: ${currencies}\n${gst}`)).toMatch(/currencies: expected INR for IN and for no other/);
});

test("other currencies are sold in where every paid plan has its price in them", () => {
  const prices = ["mini", "plus", "pro"]
    .map((plan, index) => `  ${plan}: { monthly: { EUR: ${index + 3}.99 }, yearly: { EUR: ${index * 10 + 40} } }`)
    .join("\n");
  const table = read(`currencies: { other: EUR, IN: INR }\nplans:\n${prices}\n`).plans;
  expect(table?.billedIn).toEqual({ other: "EUR", countries: { IN: "INR" } });
  expect(table?.prices.pro).toEqual({ monthly: { EUR: 599, INR: 84_500 }, yearly: { EUR: 6000, INR: 913_000 } });
  expect(faultOf("currencies: { other: EUR }\n")).toBe(
    "TINTYPE_BRAND: plans.mini.monthly: expected a price in EUR, which currencies names",
  );
  expect(faultOf("currencies: { IN: INR }\n")).toMatch(/^TINTYPE_BRAND:1: currencies: expected "other"/);
  expect(faultOf("currencies: { other: JPY }\n")).toMatch(/currencies[.]other: expected one of USD, INR, .*"JPY"/);
  expect(faultOf("currencies: { other: USD, India: INR }\n")).toMatch(/expected "other" or a country of ISO 3166/);
});

test.each([
  [
    "  gold: { credits: 5 }",
    'TINTYPE_BRAND:2: there is no field "plans.gold". Use one of: guest, hobby, mini, plus, pro.',
  ],
  ["  mini:\n    monthly: { USD: -3 }", "TINTYPE_BRAND:3: plans.mini.monthly.USD: expected 1 or more, received -3"],
  ["  mini: { monthly: { USD: 3.999 } }", "plans.mini.monthly.USD: expected two decimals at most, received 3.999"],
  ["  mini: { monthly: { JPY: 300 } }", 'there is no field "plans.mini.monthly.JPY"'],
  ["  mini: { monthly: { EUR: 3 } }", "plans.mini.monthly.EUR: expected a currency that is sold in"],
  ["  mini: { monthly: { USD: 5 } }", "plans.plus.monthly.USD: expected more than the $5 of mini, received $5"],
  ["  pro: { yearly: { USD: 9 } }", "plans.pro.yearly.USD: expected more than the $54 of plus, received $9"],
  ["  mini: { yearly: { USD: 2 } }", "plans.mini.yearly.USD: expected no less than the $3 of a month, received $2"],
  ["  mini: { credits: 1.5 }", "plans.mini.credits: expected a whole number, received 1.5"],
  ["  guest: { credits: 40 }", "plans.guest.credits: expected at most 30"],
  ["  plus: { files_per_batch: 40 }", "plans.plus.files_per_batch: expected no less than the 50 of mini, received 40"],
  ["  hobby: { credits: 5000 }", "plans.mini.credits: expected no less than the 5000 of hobby, received 100"],
  ["  plus: { credits: 40 }", "plans.plus.credits: expected no less than the 100 of mini, received 40"],
  ["  pro: { megapixels_in: 900 }", "plans.pro.megapixels_in: expected at most 200, received 900"],
  ["  mini: { fast_lane_per_day: 5 }", 'there is no field "plans.mini.fast_lane_per_day"'],
  ["  mini: { name: hobby }", 'plans.mini.name: expected a name of its own, received "hobby"'],
  ["  mini: { name: <b> }", "plans.mini.name: expected a name without"],
  [
    "  mini:\n    existing_subscribers_from: 2027-02-30",
    ':3: plans.mini.existing_subscribers_from: expected a day, like 2027-03-01, received "2027-02-30"',
  ],
  ["  mini: { existing_subscribers_from: 1 March }", "expected a day, like 2027-03-01, received"],
  ["  mini: { existing_subscriber_from: 2027-03-01 }", 'Did you mean "existing_subscribers_from"?'],
  ["  hobby: { existing_subscribers_from: 2027-03-01 }", 'there is no field "plans.hobby.existing_subscribers_from"'],
  ["  hobby: { monthly: { USD: 3 } }", 'there is no field "plans.hobby.monthly"'],
])("a table of plans that cannot be sold is refused with its field: %s", (yaml, fault) => {
  expect(faultOf(`plans:\n${yaml}\n`)).toContain(fault);
});

test("who has a plan keeps its price, unless the file names a day for it; the notice is 30 days or more", () => {
  expect(read("name: Salt").priceChanges).toEqual({ from: {}, noticeDays: 30 });
  expect(read("plans: { mini: { monthly: { USD: 4 } } }").priceChanges.from).toEqual({});
  const yaml =
    "price_notice_days: 45\nplans:\n  mini:\n    monthly: { USD: 4 }\n    existing_subscribers_from: 2027-03-01\n";
  expect(read(yaml).priceChanges).toEqual({ from: { mini: new Date("2027-03-01T00:00:00Z") }, noticeDays: 45 });
  for (const days of ["14", "61", "31.5", "soon"])
    expect(faultOf(`price_notice_days: ${days}\n`)).toMatch(/^TINTYPE_BRAND:1: price_notice_days: expected /);
});

test("the example of docs/brand.md is taken", () => {
  const docs = readFileSync(new URL("../../../../../docs/brand.md", import.meta.url), "utf8");
  const example = /```yaml\n(currencies:[\s\S]*?)```/.exec(docs)?.[1] ?? "";
  expect(read(example).plans?.prices.plus.yearly).toEqual({ EUR: 8990, INR: 649_000 });
  const change = /```yaml\n(price_notice_days:[\s\S]*?)```/.exec(docs)?.[1] ?? "";
  expect(read(change).priceChanges.from.mini).toEqual(new Date("2027-03-01T00:00:00Z"));
});
