import { expect, test } from "vitest";
import { openCountries } from "../../platform/geo.ts";
import { startTestApp } from "../../testing/harness.ts";

test("addresses of both kinds are known by country", async () => {
  const countryOf = await openCountries();
  expect(countryOf("49.36.0.1")).toBe("IN");
  expect(countryOf("2405:200::1")).toBe("IN");
  expect(countryOf("8.8.8.8")).toBe("US");
  expect(countryOf("127.0.0.1")).toBeUndefined();
});

// product: currency-by-place
test("an unknown address pays in dollars, and no stranger's header changes that", async () => {
  const app = await startTestApp({ environment: { TINTYPE_COUNTRY_HEADER: "cf-ipcountry" } });
  try {
    const ask = (headers: Record<string, string>) =>
      app
        .caller()
        .call("/api/get-location", { headers })
        .then((answer) => answer.json());
    expect(await ask({})).toEqual({ country: null, currency: "USD" });
    expect(await ask({ "cf-ipcountry": "IN", "x-forwarded-for": "49.36.0.1" })).toEqual({
      country: null,
      currency: "USD",
    });
  } finally {
    await app.close();
  }
});

test("a caller who gets past the trusted proxy is not believed", async () => {
  const app = await startTestApp({
    environment: { TINTYPE_TRUSTED_PROXIES: "10.0.0.0/8", TINTYPE_COUNTRY_HEADER: "cf-ipcountry" },
  });
  try {
    const ask = async (remoteAddress: string) =>
      (await app.app.inject({ url: "/api/get-location", headers: { "cf-ipcountry": "IN" }, remoteAddress })).json();
    expect(await ask("127.0.0.1")).toEqual({ country: null, currency: "USD" });
    expect(await ask("8.8.8.8")).toEqual({ country: "US", currency: "USD" });
    expect(await ask("10.1.2.3")).toEqual({ country: "IN", currency: "INR" });
  } finally {
    await app.close();
  }
});

test("behind a trusted proxy its header counts, then the address it forwards", async () => {
  const app = await startTestApp({
    environment: { TINTYPE_TRUSTED_PROXIES: "127.0.0.1", TINTYPE_COUNTRY_HEADER: "CF-IPCountry" },
  });
  try {
    const ask = (headers: Record<string, string>) =>
      app
        .caller()
        .call("/api/get-location", { headers })
        .then((answer) => answer.json());
    expect(await ask({ "cf-ipcountry": "in" })).toEqual({ country: "IN", currency: "INR" });
    expect(await ask({ "x-forwarded-for": "49.36.0.1" })).toEqual({ country: "IN", currency: "INR" });
    expect(await ask({ "x-forwarded-for": "8.8.8.8", "cf-ipcountry": "<script>" })).toEqual({
      country: "US",
      currency: "USD",
    });
  } finally {
    await app.close();
  }
});
