import { SecurityPage } from "../features/session/security/security-page.tsx";
import { unlistedMeta } from "../lib/seo.ts";
import { AccountPage } from "./account-page.tsx";

export const meta = () => unlistedMeta("Sign-in and security");

export default function AccountSecurity() {
  return (
    <AccountPage
      title="Sign-in and security"
      introduction="Passkeys, a second step after your password, and the browsers where you are signed in."
    >
      {() => <SecurityPage />}
    </AccountPage>
  );
}
