import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { Ajv } from "ajv";
import { expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";

const chart = "deploy/helm/tintype";
const read = (path: string) => readFileSync(path, "utf8");
type Values = { [name: string]: unknown };
const values = (): Values => parse(read(`${chart}/values.yaml`)) as Values;
type Manifest = { kind: string; metadata: { name: string; namespace?: string }; [field: string]: unknown };

/** JSON as Go encodes it: mappings sorted by key. */
const goJson = (value: unknown): string =>
  JSON.stringify(value, (_key, one: unknown) =>
    typeof one === "object" && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  );
const functions: Record<string, (value: unknown) => unknown> = {
  quote: (value) => JSON.stringify(String(value)),
  toJson: goJson,
  sha256sum: (value) => createHash("sha256").update(String(value)).digest("hex"),
};

/**
 * Renders a template of the chart. The chart uses only the subset of Helm supported here: `{{ .Values.a.b | function }}`,
 * `{{ .Release.Namespace }}`, and `{{- if [not] .Values.a.b }}` to `{{- end }}`.
 * @throws Error for anything else, and for a missing value
 */
function render(template: string, given: Values): string {
  const look = (path: string): unknown => {
    if (path === ".Release.Namespace") return "tintype";
    const names = /^\.Values((?:\.\w+)+)$/.exec(path)?.[1]?.slice(1).split(".");
    if (!names) throw new Error(`Not plain: ${path}`);
    return names.reduce<unknown>((at, name) => {
      if (typeof at !== "object" || at === null || !(name in at)) throw new Error(`There is no value ${path}`);
      return Reflect.get(at, name);
    }, given);
  };
  const shown: boolean[] = [];
  let text = "";
  const parts = template.replace(/\s*\{\{-/g, "{{").split(/\{\{\s*(.*?)\s*\}\}/);
  for (const [index, part] of parts.entries()) {
    const isShown = shown.every(Boolean);
    if (index % 2 === 0) {
      text += isShown ? part : "";
      continue;
    }
    const [, not, condition] = /^if (not )?(\S+)$/.exec(part) ?? [];
    if (condition) shown.push(Boolean(look(condition)) !== (not !== undefined));
    else if (part === "end") {
      if (shown.pop() === undefined) throw new Error("An end without its if");
    } else {
      const [path = "", ...names] = part.split(/\s*\|\s*/);
      const value = names.reduce((one, name) => {
        const apply = functions[name];
        if (!apply) throw new Error(`Not plain: ${name}`);
        return apply(one);
      }, look(path));
      if (isShown) text += String(value);
    }
  }
  if (shown.length > 0) throw new Error("An if without its end");
  return text;
}

function manifestsIn(text: string): Manifest[] {
  return parseAllDocuments(text)
    .filter((document) => {
      expect(document.errors).toEqual([]);
      return document.contents !== null;
    })
    .map((document) => document.toJS() as Manifest); // each document is a manifest
}
const templates = globSync(`${chart}/templates/*`).toSorted();
const rendered = (given: Values = values()): Manifest[] =>
  templates.flatMap((path) => manifestsIn(render(read(path), given)));
const nameOf = ({ kind, metadata }: Manifest) => `${kind} ${metadata.name}`;
const byName = (manifests: Manifest[]) => Object.fromEntries(manifests.map((one) => [nameOf(one), one]));
/** The chart's values with one of them replaced. */
function withValue(path: string[], value: unknown): Values {
  const changed = values();
  const last = path.at(-1) ?? "";
  const parent = path.slice(0, -1).reduce<Values>((at, name) => at[name] as Values, changed); // the paths come from the values themselves
  parent[last] = value;
  return changed;
}

/** Removes what only the chart has: the checksum that restarts pods, and the registry's password. */
function plain(manifest: Manifest): Manifest {
  const copy = structuredClone(manifest);
  const template = (copy["spec"] as { template?: { metadata: { annotations: Values }; spec: Values } } | undefined)
    ?.template;
  if (template) {
    delete template.metadata.annotations["checksum/settings"];
    delete template.spec["imagePullSecrets"];
  }
  return copy;
}

test("with its own values the chart is what the plain manifests are", () => {
  const { version } = JSON.parse(read("package.json")) as { version: string };
  const ofKubectl = byName(
    globSync("deploy/kubernetes/*.yaml")
      .flatMap((path) => manifestsIn(read(path).replaceAll("image: tintype:latest", `image: tintype:${version}`)))
      .filter(({ kind }) => kind !== "Namespace"),
  );
  // With an autoscaler, the deployment does not set the number of pods.
  const fixed = rendered(withValue(["autoscaling", "enabled"], false));
  const scalers = rendered().filter(({ kind }) => kind === "HorizontalPodAutoscaler");
  expect(scalers).toHaveLength(3);
  expect(byName([...fixed, ...scalers].map(plain))).toEqual(ofKubectl);
  for (const one of rendered().filter(({ kind }) => kind === "Deployment"))
    expect(one["spec"], nameOf(one)).not.toHaveProperty("replicas");
});

/** The paths of all values that are not mappings. Settings and annotations count as one value each. */
function leavesOf(at: unknown, path: string[] = []): string[][] {
  const isWhole = path[0] === "config" || path.at(-1) === "values" || path.at(-1) === "annotations";
  if (typeof at !== "object" || at === null || Array.isArray(at) || (isWhole && path.length > 1)) return [path];
  return Object.entries(at).flatMap(([name, one]) => leavesOf(one, [...path, name]));
}

test.each(leavesOf(values()).map((path) => path.join(".")))("the value %s changes what is applied", (name) => {
  const path = name.split(".");
  const before = path.reduce<unknown>((at, one) => (at as Values)[one], values());
  const other =
    typeof before === "boolean"
      ? !before
      : typeof before === "number"
        ? before + 1
        : typeof before === "string"
          ? `${before}x`
          : Array.isArray(before)
            ? [...before, { name: "x" }]
            : { ...(before as Values), XX: "x" };
  expect(rendered(withValue(path, other))).not.toEqual(rendered());
});

test("workers get the secret of all processes alone, and a change of a setting restarts the pods", () => {
  const secretsOf = (given: Values) =>
    Object.fromEntries(
      rendered(given)
        .filter(({ kind }) => kind === "Deployment")
        .map(({ metadata, ...one }) => [
          metadata.name,
          [...JSON.stringify(one).matchAll(/"secret":\{"name":"(.*?)"/g)].map(([, name]) => name),
        ]),
    );
  const given = withValue(["secrets", "api", "name"], "of-the-store");
  expect(secretsOf(given)).toEqual({
    api: ["tintype", "of-the-store"],
    "picture-worker": ["tintype"],
    "model-worker": ["tintype"],
  });
  const kinds = rendered(withValue(["secrets", "create"], false)).map(({ kind }) => kind);
  expect(kinds).not.toContain("Secret");
  const podsOf = (one: Values) =>
    rendered(one).flatMap((manifest) => JSON.stringify(manifest).match(/"checksum\/settings":"[0-9a-f]{64}"/) ?? []);
  const [before, after] = [podsOf(values()), podsOf(withValue(["config", "all", "S3_REGION"], "eu-west-1"))];
  expect(before).toHaveLength(3);
  expect(after.filter((one) => before.includes(one))).toEqual([]);
});

test("ingress and network policies are left out where they are switched off", () => {
  const without = (name: string) => rendered(withValue([name, "enabled"], false)).map(({ kind }) => kind);
  expect(without("ingress")).not.toContain("Ingress");
  expect(without("network")).not.toContain("NetworkPolicy");
});

test("the chart, its image and the packages have one version", () => {
  const { version } = JSON.parse(read("package.json")) as { version: string };
  expect(parse(read(`${chart}/Chart.yaml`))).toMatchObject({ apiVersion: "v2", version, appVersion: version });
  expect(values()).toMatchObject({ image: { tag: version } });
});

test("the schema takes the chart's values, and refuses a misspelt name, a number as a setting and a switch that is none", () => {
  const check = new Ajv().compile(JSON.parse(read(`${chart}/values.schema.json`)) as object);
  expect(check(values()), JSON.stringify(check.errors)).toBe(true);
  for (const [path, value] of [
    [["imgae"], {}],
    [["api", "replica"], 2],
    [["config", "all", "PORT"], 3000],
    [["config", "api", "tintype.origin"], "x"],
    [["ingress", "enabled"], "no"],
    [["workers", "sandbox"], "off"],
  ] as const)
    expect(check(withValue([...path], value)), path.join(".")).toBe(false);
});

test("a template that is not plain, or names a value that there is not, is refused", () => {
  for (const wrong of ['{{ include "x" . }}', "{{ .Values.nothing }}", "{{ range .Values.a }}", "{{ if .Values.api }}"])
    expect(() => render(wrong, values()), wrong).toThrow();
});
