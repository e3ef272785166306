import pg from "pg";

/** Counts this process's PostgreSQL statements from now on, including `begin` and `commit`. Returns a function that reads the count. */
export function countStatements(): () => number {
  let asked = 0;
  const query = pg.Client.prototype.query;
  pg.Client.prototype.query = function (this: pg.Client, ...rest: unknown[]) {
    asked++;
    return Reflect.apply(query, this, rest);
  } as typeof query; // the same function with a count before it
  return () => asked;
}
