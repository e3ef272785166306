import { expect, test } from "vitest";
import { startTestApp } from "../testing/harness.ts";
import { hasMemoryForWarmModels } from "./engines.ts";

test("engines stay warm only where as much memory again stays free, and the log says which", () => {
  const said: string[] = [];
  const log = {
    info: (_: object, line: string) => said.push(line),
    warn: (_: object, line: string) => said.push(line),
  };
  const room = (availableMb: number, engines = 1, memoryMb?: number) => {
    const source = { kind: "file", path: "own.onnx" } as const;
    const models = memoryMb === undefined ? {} : { overrides: { background: { source, memoryMb } } };
    return hasMemoryForWarmModels({ models, engines, log: log as never, availableMb });
  };
  expect(room(1800)).toBe(false);
  expect(said.at(-1)).toContain("loaded on first use");
  expect(room(2000)).toBe(true);
  expect(said.at(-1)).toContain("loading the cut-out models");
  expect(room(2000, 2)).toBe(false);
  expect(room(2000, 2, 400)).toBe(true);
});

test("the log of a start names each fact once, and sizes as people write them", async () => {
  const lines: string[] = [];
  const app = await startTestApp({ hasEngineProcesses: true, onLogLine: (line) => lines.push(line) });
  await app.close();
  const twice = lines.filter((line) => (line.match(/"level":/g) ?? []).length !== 1);
  expect(twice).toEqual([]);
  expect(lines.some((line) => line.includes("engine sandbox"))).toBe(true);
  expect(lines.find((line) => line.includes("general use"))).toMatch(/\(180 MB\)/);
});
