import { DomainError } from "@tintype/contract";
import { putMail } from "../../platform/mail-outbox.ts";
import { invitationMail } from "../accounts/account-mails.ts";
import { invitationLink, makeInvitation, type NewInvitation, revokeInvitation } from "../accounts/invitations.ts";
import { type DeskDependencies, note, type OperatorCall } from "./actions.ts";

/** Invites a person, by mail if an address is named and this server sends mail. The link works either way. */
export async function invitePerson(
  dependencies: DeskDependencies,
  call: OperatorCall,
  invited: Omit<NewInvitation, "createdBy">,
) {
  const { db, clock, origin, sendsMail } = dependencies;
  return db.transaction(async (tx) => {
    const now = clock.now();
    const createdBy = call.operator.accountId;
    const { invitation, token } = await makeInvitation(tx, { ...invited, createdBy }, now);
    const link = invitationLink(origin, token);
    const mailed = sendsMail && invited.email !== undefined;
    if (mailed && invited.email !== undefined) {
      const message = invitationMail(invited.email, { url: link, days: invited.days });
      await putMail(tx, { key: `invitation:${invitation.id}`, accountId: null, message }, now);
    }
    await note(tx, dependencies, call, {
      action: "invitation-made",
      subject: invitation.id,
      after: { role: invitation.role, expires_at: invitation.expires_at },
    });
    return { invitation, link, mailed };
  });
}

/** @throws conflict when it is not open any more */
export async function endInvitation(dependencies: DeskDependencies, call: OperatorCall, id: string): Promise<void> {
  await dependencies.db.transaction(async (tx) => {
    if (!(await revokeInvitation(tx, { id, now: dependencies.clock.now() })))
      throw new DomainError("conflict", { detail: "This invitation is not open any more." });
    await note(tx, dependencies, call, { action: "invitation-revoked", subject: id });
  });
}
