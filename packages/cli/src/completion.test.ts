import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { completionScript } from "./completion.ts";
import { createProgram } from "./program.ts";

const program = createProgram(() => {});
const run = promisify(execFile);

test("bash completes commands, flags, shells, and names of files as it does by itself", async () => {
  const room = mkdtempSync(join(tmpdir(), "tintype-completion-"));
  onTestFinished(() => rmSync(room, { recursive: true, force: true }));
  writeFileSync(join(room, "my photo.jpg"), "");
  const complete = async (...words: string[]) => {
    const asked = `${completionScript("bash", program)}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length - 1}; _tintype; printf '%s\n' "\${COMPREPLY[@]}"`;
    const { stdout } = await run("bash", ["--norc", "-c", asked], { env: process.env, cwd: room });
    return stdout.trim().split("\n");
  };
  expect(await complete("tintype", "comp")).toEqual(["compress", "completion"]);
  expect(await complete("tintype", "--ver")).toEqual(["--version"]);
  expect(await complete("tintype", "compress", "--qua")).toEqual(["--quality"]);
  expect(await complete("tintype", "completion", "")).toEqual(["bash", "zsh", "fish"]);
  // None of our words match: bash falls back to file names by `-o default`, and quotes them.
  expect(await complete("tintype", "compress", "my")).toEqual([""]);
  expect(completionScript("bash", program)).toMatch(/^complete .*-o default .*tintype$/m);
});

test("the scripts for zsh and fish name each command and flag, and end each quote", async () => {
  const [zsh, fish] = [completionScript("zsh", program), completionScript("fish", program)];
  for (const command of program.commands) {
    const flags = command.options.filter(({ hidden }) => !hidden).map(({ long }) => String(long));
    expect(zsh).toContain(`    ${command.name()}) flags=(${[...flags, "--help"].join(" ")})`);
    for (const flag of flags)
      expect(fish).toContain(`-- ${command.name()} (commandline -opc)[2]' -l ${flag.slice(2)}\n`);
  }
  // For the syntax in this script, zsh and bash have the same grammar.
  await run("bash", ["--norc", "-n", "-c", zsh], { env: process.env });
  for (const line of fish.trimEnd().split("\n"))
    expect(line).toMatch(/^complete -c tintype(?: -\w+(?: (?:[\w-]+|'(?:[^'\\]|\\.)*'))?)+$/);
});

test("another shell is refused with the names of those that there are", () => {
  expect(() => completionScript("tcsh", program)).toThrow(expect.objectContaining({ code: "invalid-request" }));
});
