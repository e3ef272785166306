import { DomainError } from "@tintype/contract";
import type { Command } from "commander";

/** A script for the shell, from the commands and flags as they are. @throws invalid-request */
export function completionScript(shell: string, program: Command): string {
  const commands = program.commands.map((command) => ({
    name: command.name(),
    about: command.summary() || command.description(),
    flags: command.options.filter(({ hidden }) => !hidden).flatMap(({ long }) => (long ? [long] : [])),
  }));
  if (shell === "bash" || shell === "zsh") {
    const cases = commands
      .map(({ name, flags }) => `    ${name}) words="${[...flags, "--help"].join(" ")}" ;;`)
      .join("\n");
    const names = commands.map(({ name }) => name).join(" ");
    const bash = `_tintype() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words
  case "\${COMP_WORDS[1]}" in
${cases}
    *) words="${names} --help --version" ;;
  esac
  if [ "$COMP_CWORD" -eq 1 ]; then words="${names} --help --version"; fi
  if [ "$COMP_CWORD" -eq 1 ] || [ "\${current#-}" != "$current" ]; then COMPREPLY=($(compgen -W "$words" -- "$current"))
  else COMPREPLY=($(compgen -f -- "$current")); fi
}
complete -o filenames -F _tintype tintype
`;
    return shell === "zsh" ? `autoload -U +X bashcompinit && bashcompinit\n${bash}` : bash;
  }
  if (shell === "fish") {
    const quoted = (text: string) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
    return commands
      .flatMap(({ name, about, flags }) => [
        `complete -c tintype -n __fish_use_subcommand -a ${name} -d ${quoted(about)}`,
        ...flags.map((flag) => `complete -c tintype -n '__fish_seen_subcommand_from ${name}' -l ${flag.slice(2)}`),
      ])
      .map((line) => `${line}\n`)
      .join("");
  }
  throw new DomainError("invalid-request", { detail: "There are scripts for bash, zsh and fish." });
}
