import pg from "pg";
/**
 * A connection that has the database keep the plan of each statement with parameters. For a session that is ours
 * alone: a pooler between us and a server may hand the next statement to another one.
 */
export declare class PreparedClient extends pg.Client {
    query(...call: any[]): any;
}
