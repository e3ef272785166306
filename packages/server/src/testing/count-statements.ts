import pg from "pg";

/** Counts what this process asks PostgreSQL from now on: each statement, `begin` and `commit` too. Answers how many so far. */
export function countStatements(): () => number {
  let asked = 0;
  const query = pg.Client.prototype.query;
  pg.Client.prototype.query = function (this: pg.Client, ...rest: unknown[]) {
    asked++;
    return Reflect.apply(query, this, rest);
  } as typeof query; // the same function with a count before it
  return () => asked;
}
