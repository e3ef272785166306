import type { UserInfo } from "@tintype/contract";

/** The person who views prices and payments; the page that renders them gets it from the session. */
export type Customer = {
  kind: "unknown" | "guest" | "person";
  /** Of a signed-in person, once the server has answered. */
  info: UserInfo | undefined;
  /** Opens the login dialog. */
  logIn(): void;
  /** Asks the server again. @throws ApiProblem, ConnectionLost */
  refresh(): Promise<UserInfo>;
};
