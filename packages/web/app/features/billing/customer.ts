import type { UserInfo } from "@tintype/contract";

/** The person who looks at prices and payments; the page that shows them knows from the session. */
export type Customer = {
  kind: "unknown" | "guest" | "person";
  /** Of a person, once the server has told. */
  info: UserInfo | undefined;
  /** Opens the way in. */
  logIn(): void;
  /** Asks the server again. @throws ApiProblem, ConnectionLost */
  refresh(): Promise<UserInfo>;
};
