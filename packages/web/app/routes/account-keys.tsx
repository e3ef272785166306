import { Link } from "react-router";
import { KeyPage } from "../features/keys/key-page.tsx";
import { unlistedMeta } from "../lib/seo.ts";
import { AccountPage } from "./account-page.tsx";

export const meta = () => unlistedMeta("API keys");

export default function AccountKeys() {
  return (
    <AccountPage
      title="API keys"
      introduction={
        <>
          A key lets a program call the <Link to="/api/docs">API</Link> as you. It can spend your credits, and cannot
          pay, delete your account or make other keys.
        </>
      }
    >
      {() => <KeyPage />}
    </AccountPage>
  );
}
