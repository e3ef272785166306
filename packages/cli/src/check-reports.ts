import { isAbsolute } from "node:path";
import { pathToFileURL } from "node:url";
import manifest from "../package.json" with { type: "json" };

/** A picture that fails the check. `file` is its path from the current folder, or an absolute one. */
export type Fault = { file: string; message: string; isUnread: boolean };

const rules = {
  smaller: { id: "picture-could-be-smaller", title: "Picture could be smaller" },
  unread: { id: "picture-cannot-be-read", title: "Picture cannot be read" },
} as const;
const ruleOf = ({ isUnread }: Fault) => (isUnread ? rules.unread : rules.smaller);

/** Workflow commands by which GitHub Actions shows each fault at its file. */
export const annotationsOf = (faults: readonly Fault[]): string =>
  faults
    .map((fault) => {
      const { file, message } = fault;
      return `::error file=${escapeProperty(file)},title=${ruleOf(fault).title}::${escapeMessage(message)}\n`;
    })
    .join("");

// As `@actions/core` escapes them. Attack: a file name with a line break would begin a command of its own.
const escapeMessage = (text: string) => text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
const escapeProperty = (text: string) => escapeMessage(text).replaceAll(":", "%3A").replaceAll(",", "%2C");

/** A log in SARIF 2.1.0 (OASIS), as code scanning takes it. */
export function sarifOf(faults: readonly Fault[]): string {
  const run = {
    tool: {
      driver: {
        name: "tintype",
        version: manifest.version,
        rules: Object.values(rules).map(({ id, title }) => ({ id, shortDescription: { text: title } })),
      },
    },
    results: faults.map((fault) => ({
      ruleId: ruleOf(fault).id,
      level: "error",
      message: { text: `${fault.file}: ${fault.message}` },
      locations: [{ physicalLocation: { artifactLocation: { uri: uriOf(fault.file) } } }],
    })),
  };
  const log = { $schema: "https://json.schemastore.org/sarif-2.1.0.json", version: "2.1.0", runs: [run] };
  return `${JSON.stringify(log, null, 2)}\n`;
}

/** Relative to the current folder, which in CI is the repository's. */
const uriOf = (file: string): string =>
  isAbsolute(file) ? pathToFileURL(file).href : file.split(/[\\/]/).map(encodeURIComponent).join("/");
