import type { UserInfo } from "@tintype/contract";
import type { Person } from "./port.ts";

/** The visitor. Unknown until the identity provider answers: a moment, longer when offline. */
export type Visitor = { kind: "unknown" } | { kind: "guest" } | { kind: "person"; person: Person };

export type DialogRequest = {
  tab?: "login" | "signup";
  /** Re-authentication of someone who is signed in. */
  isAgain?: boolean;
  /** Why the dialog opens, if the person did not open it. */
  reason?: string;
  /** The error of an attempt that left the page. */
  problem?: string;
  /** An alternative to signing in. */
  offer?: { label: string; action(): void } | undefined;
  onSuccess?: () => void;
  onClose?: () => void;
};

export type SessionState = {
  visitor: Visitor;
  /** The server's data about the person; undefined for guests and before it has answered. */
  info: UserInfo | undefined;
  /** Why `info` is missing or stale, as a message for the header. */
  problem: string | undefined;
  /** The latest request; kept after closing, because the dialog then restores the focus. */
  dialog: (DialogRequest & { isOpen: boolean }) | undefined;
};

export type SessionEvent =
  | { type: "person-known"; person: Person }
  | { type: "guest-known" }
  | { type: "info-read"; info: UserInfo }
  | { type: "info-failed"; problem: string }
  | { type: "usage-reported"; used: number; limit: number }
  | { type: "dialog-opened"; request: DialogRequest }
  | { type: "dialog-closed" };

export const initialSession: SessionState = {
  visitor: { kind: "unknown" },
  info: undefined,
  problem: undefined,
  dialog: undefined,
};

export function reduceSession(state: SessionState, event: SessionEvent): SessionState {
  const { visitor, info, dialog } = state;
  switch (event.type) {
    case "person-known": {
      const isSame = visitor.kind === "person" && visitor.person.id === event.person.id;
      const next: Visitor = { kind: "person", person: event.person };
      return isSame ? { ...state, visitor: next } : { ...initialSession, dialog, visitor: next };
    }
    case "guest-known":
      return visitor.kind === "guest" ? state : { ...initialSession, dialog, visitor: { kind: "guest" } };
    case "info-read":
      return visitor.kind === "person" ? { ...state, info: event.info, problem: undefined } : state;
    case "info-failed":
      return { ...state, problem: event.problem };
    case "usage-reported":
      if (!info || (info.service_count === event.used && info.limit === event.limit)) return state;
      return { ...state, info: { ...info, service_count: event.used, limit: event.limit } };
    case "dialog-opened":
      return { ...state, dialog: { ...event.request, isOpen: true } };
    case "dialog-closed":
      return dialog?.isOpen ? { ...state, dialog: { ...dialog, isOpen: false } } : state;
  }
}
