import { expect, test } from "vitest";
import { readConfig, UsageFault } from "./config.ts";

const key = { TINTYPE_KEY: "tt_key" };

test("a folder is enough: this computer works, over stdio, for 50 credits at most", () => {
  expect(readConfig(["photos", "more"], {})).toEqual({
    folders: ["photos", "more"],
    server: undefined,
    maxCredits: 50,
    http: undefined,
  });
});

test("the server's address comes from the command line before the environment, and its key from the environment alone", () => {
  const environment = { ...key, TINTYPE_SERVER: "https://one.example" };
  expect(readConfig(["photos"], environment)).toMatchObject({
    server: { origin: "https://one.example", key: "tt_key" },
  });
  expect(readConfig(["--server", "https://two.example/", "photos"], environment)).toMatchObject({
    server: { origin: "https://two.example", key: "tt_key" },
  });
});

test("a server in plain http is taken from the command line, and from the environment only on this computer", () => {
  const serverOf = (args: string[], environment: Record<string, string> = {}) => {
    const config = readConfig([...args, "photos"], { ...key, ...environment });
    return config === "help" ? undefined : config.server?.origin;
  };
  expect(serverOf(["--server", "http://192.168.1.9:3000"])).toBe("http://192.168.1.9:3000");
  expect(serverOf([], { TINTYPE_SERVER: "http://localhost:3000" })).toBe("http://localhost:3000");
  const refused = () => serverOf([], { TINTYPE_SERVER: "http://192.168.1.9:3000" });
  expect(refused).toThrow(UsageFault);
  expect(refused).toThrow("without encryption. Use https://.");
});

test("over HTTP a token is made where none is given, another one each time", () => {
  const tokenOf = (environment: Record<string, string>) => {
    const config = readConfig(["--http", "8080", "--allow-host", "pictures.example", "photos"], environment);
    expect(config).toMatchObject({ http: { host: "127.0.0.1", port: 8080, hosts: ["pictures.example"] } });
    return config === "help" ? undefined : config.http;
  };
  expect(tokenOf({ TINTYPE_MCP_TOKEN: "a token long enough" })).toMatchObject({
    token: "a token long enough",
    isTokenNew: false,
  });
  const made = tokenOf({});
  expect(made?.isTokenNew).toBe(true);
  expect(made?.token).toMatch(/^[\w-]{32}$/);
  expect(tokenOf({})?.token).not.toBe(made?.token);
});

test("help needs no folder", () => {
  expect(readConfig(["--help"], {})).toBe("help");
});

test.each<[string, string[], Record<string, string>, string]>([
  ["no folder", [], {}, "Please name at least one folder that may be used."],
  ["a server without a key", ["--server", "https://one.example", "photos"], {}, "A server needs a key."],
  ["an empty key", ["--server", "https://one.example", "photos"], { TINTYPE_KEY: "" }, "A server needs a key."],
  ["a server that is no address", ["--server", "ftp://one.example", "photos"], key, "http"],
  ["credits that are no number", ["--max-credits", "-1", "photos"], {}, "--max-credits"],
  ["a fraction of a credit", ["--max-credits", "1.5", "photos"], {}, "--max-credits must be a whole number"],
  ["a port beyond the last", ["--http", "65536", "photos"], {}, "--http must be a whole number up to 65535"],
  ["a short token", ["--http", "80", "photos"], { TINTYPE_MCP_TOKEN: "short" }, "at least 16 characters"],
  ["a flag that is not there", ["--folder", "photos"], {}, "--folder"],
])("refused with a sentence: %s", (_, args, environment, sentence) => {
  const read = () => readConfig(args, environment);
  expect(read).toThrow(UsageFault);
  expect(read).toThrow(sentence);
});
