import pg from "pg";

/** How many statements stay prepared. Further ones are parsed each time: multi-row batches create endlessly many texts. */
const mostKept = 200;
const longestText = 4000;
/** Names by text, the same for each connection of the process. */
const names = new Map<string, string>();

/**
 * A connection on which the database keeps the plan of each parameterised statement. Only for a dedicated session: a
 * pooler in between may route the next statement to another one.
 */
export class PreparedClient extends pg.Client {
  // biome-ignore lint/suspicious/noExplicitAny: pg's `query` has nine overloads, and all go through here
  override query(...call: any[]): any {
    const [config, values, ...rest] = call;
    const text: unknown = config?.text;
    const name = typeof text === "string" && !config.name && values?.length > 0 ? nameOf(text) : undefined;
    const named = name === undefined ? config : { ...config, name };
    return Reflect.apply(super.query, this, [named, values, ...rest]);
  }
}

function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= mostKept || text.length > longestText) return known;
  const name = `s${names.size}`;
  names.set(text, name);
  return name;
}
