import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { parser } from "@prometheus-io/lezer-promql";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { startTestApp, type TestApp } from "../packages/server/src/testing/harness.ts";
import { samplePng } from "../packages/server/src/testing/pictures.ts";

const rulesFile = "deploy/prometheus/alerts.yaml";
type Rule = { alert: string; expr: string; for?: string; labels: Record<string, string>; annotations: object };
const { groups } = parse(readFileSync(rulesFile, "utf8")) as { groups: { name: string; rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);
type Panel = { id: number; title: string; type: string; targets?: { expr: string; legendFormat: string }[] };
const dashboard = JSON.parse(readFileSync("deploy/grafana/tintype.json", "utf8")) as { uid: string; panels: Panel[] };
const queries = [
  ...rules.map(({ alert, expr }) => ({ where: alert, expr })),
  ...dashboard.panels.flatMap(({ title, targets = [] }) =>
    // A built-in variable that Grafana replaces before Prometheus sees the query.
    targets.map(({ expr }) => ({ where: title, expr: expr.replaceAll("$__rate_interval", "5m") })),
  ),
];

/** Prometheus' own metrics, and the labels that it adds to each scraped series. */
const ofPrometheus = { metrics: ["up"], labels: ["job", "instance"] };

/** The metrics and labels named in a query, parsed with Prometheus' grammar. @throws Error if it is not valid PromQL */
function namedIn(expr: string): { metrics: string[]; labels: string[] } {
  const metrics: string[] = [];
  const labels: string[] = [];
  parser.parse(expr).iterate({
    enter({ type, from, to, node }) {
      const text = expr.slice(from, to);
      if (type.isError) throw new Error(`No PromQL at ${from}: ${expr}`);
      if (type.name === "Identifier" && node.parent?.name === "VectorSelector") metrics.push(text);
      if (type.name === "LabelName") labels.push(text);
    },
  });
  return { metrics, labels };
}

let app: TestApp;
/** Label names of each metric that the server exports, by metric name. */
let exported: Map<string, Set<string>>;
beforeAll(async () => {
  app = await startTestApp();
  const person = await app.person();
  expect((await person.run("compress", [{ name: "a.png", bytes: samplePng(30, 20) }], { quality: "60" })).status).toBe(
    200,
  );
  const text = await (await app.caller().call("/metrics")).text();
  exported = new Map([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name = ""]) => [name, new Set<string>()] as const));
  for (const [, name = "", labels = ""] of text.matchAll(/^([a-z_:][a-z0-9_:]*)(?:\{(.*)\})? /gim)) {
    const known = exported.get(name) ?? new Set();
    for (const [, label = ""] of labels.matchAll(/([a-z_]+)="/g)) known.add(label);
    exported.set(name, known);
  }
});
afterAll(() => app.close());

test("each query of the alerts and of the dashboard names metrics and labels that the server exports", () => {
  expect(queries.length).toBeGreaterThan(35);
  const wrong = queries.flatMap(({ where, expr }) => {
    const { metrics, labels } = namedIn(expr);
    const own = metrics.filter((name) => !ofPrometheus.metrics.includes(name));
    const known = new Set([...ofPrometheus.labels, ...own.flatMap((name) => [...(exported.get(name) ?? [])])]);
    return [
      ...own.filter((name) => !exported.has(name)).map((name) => `${where}: there is no metric ${name}`),
      ...labels.filter((name) => !known.has(name)).map((name) => `${where}: no metric here has a label ${name}`),
      ...(metrics.length === 0 ? [`${where}: names no metric`] : []),
    ];
  });
  expect(wrong).toEqual([]);
});

test("each metric of ours is on the dashboard", () => {
  const shown = new Set(queries.slice(rules.length).flatMap(({ expr }) => namedIn(expr).metrics));
  const missing = [...exported.keys()].filter(
    (name) =>
      name.startsWith("tintype_") &&
      !/_(bucket|sum|count)$/.test(name) &&
      ![name, `${name}_bucket`].some((one) => shown.has(one)),
  );
  expect(missing).toEqual([]);
});

test("a metric or a label that there is not, and a query that is none, are found", () => {
  expect(namedIn('sum by (class) (rate(tintype_nothing_total{outcome="done"}[5m]))')).toEqual({
    metrics: ["tintype_nothing_total"],
    labels: ["class", "outcome"],
  });
  expect(() => namedIn("sum(rate(tintype_files_total[5m])")).toThrow("No PromQL");
});

test("each alert has a name of its own, a severity and a summary, and the page of operations names it", () => {
  const page = readFileSync("docs/operations.md", "utf8");
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  for (const { alert, labels, annotations } of rules) {
    expect(labels, alert).toEqual({ severity: expect.stringMatching(/^(warning|critical)$/) });
    expect(annotations, alert).toHaveProperty("summary");
    expect(page, alert).toContain(`\`${alert}\``);
  }
});

test("panels have ids of their own and legends of labels that their query keeps", () => {
  expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
  for (const { title, targets = [] } of dashboard.panels)
    for (const { expr, legendFormat } of targets)
      for (const [, label = ""] of legendFormat.matchAll(/\{\{(\w+)\}\}/g))
        expect([...namedIn(expr.replaceAll("$__rate_interval", "5m")).labels, "instance"], title).toContain(label);
});

// Prometheus is not part of the service. If promtool is not installed, only the grammar above has checked the queries.
test("promtool accepts the rules, where it is installed", () => {
  const promtool = process.env["PROMTOOL"] ?? "promtool";
  if (spawnSync(promtool, ["--version"]).error) {
    console.warn("promtool is not installed (Debian: prometheus): it has not checked deploy/prometheus/alerts.yaml");
    return;
  }
  const checked = execFileSync(promtool, ["check", "rules", rulesFile], { encoding: "utf8" });
  expect(checked).toContain(`SUCCESS: ${rules.length} rules found`);
});
