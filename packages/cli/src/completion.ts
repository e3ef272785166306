import { DomainError } from "@tintype/contract";
import type { Command } from "commander";

type Completed = { name: string; about: string; flags: string[]; values: readonly string[] };

const shells = ["bash", "zsh", "fish"] as const;

/** A completion script for the shell, generated from the actual commands and flags. @throws invalid-request */
export function completionScript(shell: string, program: Command): string {
  const commands = program.commands.map(
    (command): Completed => ({
      name: command.name(),
      about: command.summary() || command.description(),
      flags: [...command.options.filter(({ hidden }) => !hidden).flatMap(({ long }) => (long ? [long] : [])), "--help"],
      values: command.name() === "completion" ? shells : [],
    }),
  );
  if (shell === "bash") return bashScript(commands);
  if (shell === "zsh") return zshScript(commands);
  if (shell === "fish") return fishScript(commands);
  throw new DomainError("invalid-request", { detail: "There are scripts for bash, zsh and fish." });
}

/** With an empty COMPREPLY, bash completes and quotes file names itself. */
function bashScript(commands: readonly Completed[]): string {
  const cases = commands.map(
    ({ name, flags, values }) => `      ${name}) flags="${flags.join(" ")}" values="${values.join(" ")}" ;;`,
  );
  return `_tintype() {
  local current="\${COMP_WORDS[COMP_CWORD]}" flags="--help --version" values=""
  if [ "$COMP_CWORD" -eq 1 ]; then values="${commands.map(({ name }) => name).join(" ")}"
  else
    case "\${COMP_WORDS[1]}" in
${cases.join("\n")}
    esac
  fi
  case "$current" in
    -*) COMPREPLY=($(compgen -W "$flags" -- "$current")) ;;
    *) COMPREPLY=($(compgen -W "$values" -- "$current")) ;;
  esac
}
complete -o bashdefault -o default -F _tintype tintype
`;
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

function zshScript(commands: readonly Completed[]): string {
  const described = commands.map(({ name, about }) => `      ${quoted(`${name}:${about.replaceAll(":", "\\:")}`)}`);
  const cases = commands.map(
    ({ name, flags, values }) => `    ${name}) flags=(${flags.join(" ")}) values=(${values.join(" ")}) ;;`,
  );
  return `#compdef tintype
_tintype() {
  local -a commands flags values
  flags=(--help --version)
  if (( CURRENT == 2 )) && [[ $words[CURRENT] != -* ]]; then
    commands=(
${described.join("\n")}
    )
    _describe command commands
    return
  fi
  (( CURRENT > 2 )) && case $words[2] in
${cases.join("\n")}
  esac
  if [[ $words[CURRENT] == -* ]]; then compadd -- $flags
  elif (( \${#values} )); then compadd -- $values
  else _files
  fi
}
(( \${+functions[compdef]} )) || { autoload -Uz compinit && compinit -i; }
# As a file of fpath it is called to complete; evaluated, it registers itself.
if [[ $funcstack[1] == _tintype ]]; then _tintype "$@"; else compdef _tintype tintype; fi
`;
}

function fishScript(commands: readonly Completed[]): string {
  const fishQuoted = (text: string) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
  // Match the second word alone: a file may have the name of a command.
  const seen = (name: string) => `-n 'string match -q -- ${name} (commandline -opc)[2]'`;
  const lines = commands.flatMap(({ name, about, flags, values }) => [
    `-n __fish_use_subcommand -f -a ${name} -d ${fishQuoted(about)}`,
    ...flags.map((flag) => `${seen(name)} -l ${flag.slice(2)}`),
    ...(values.length > 0 ? [`${seen(name)} -f -a '${values.join(" ")}'`] : []),
  ]);
  return ["-n __fish_use_subcommand -f -l help", "-n __fish_use_subcommand -f -l version", ...lines]
    .map((line) => `complete -c tintype ${line}\n`)
    .join("");
}
