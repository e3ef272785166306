import { DomainError, type PublicConfig } from "@tintype/contract";
import { type OpenInvitation, setUp } from "./invitations.ts";

/** Who may use the service and create an account. Accounts that exist are not affected. */
export type Admission = Omit<PublicConfig["access"], "invitation">;

/** Why nobody may create an account with this address, whether or not it is theirs; undefined if they may. */
export function refusalOf(
  { sign_up, domains }: Admission,
  email: string,
  invitation?: Pick<OpenInvitation, "createdBy">,
): string | undefined {
  if (sign_up === "open" || invitation?.createdBy === setUp) return undefined;
  if (sign_up === "closed") return "This service takes no new accounts. Please ask the people who run it.";
  if (invitation) return undefined;
  if (sign_up === "invite")
    return "You need an invitation to create an account here. Please ask the people who run this service.";
  const domain = email.slice(email.lastIndexOf("@") + 1).toLowerCase();
  if (email.includes("@") && domains.includes(domain)) return undefined;
  return `Only people with an email address at ${domains.join(" or ")} can use this service.`;
}

/** @throws not-admitted: for an address that admits people, only once it is verified, since anyone can type it */
export function refuseUnadmitted(
  admission: Admission,
  { email, emailVerified }: { email: string; emailVerified: boolean },
  invitation?: Pick<OpenInvitation, "createdBy">,
): void {
  const refusal = refusalOf(admission, email, invitation);
  if (refusal) throw new DomainError("not-admitted", { detail: refusal });
  if (admission.sign_up === "domain" && !emailVerified && !invitation)
    throw new DomainError("not-admitted", { detail: "Please verify your email first: follow the link we sent you." });
}
