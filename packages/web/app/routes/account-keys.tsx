import { Link } from "react-router";
import { KeyPage } from "../features/keys/key-page.tsx";
import { isPrivate } from "../lib/brand.ts";
import { unlistedMeta } from "../lib/seo.ts";
import { AccountPage } from "./account-page.tsx";

export const meta = () => unlistedMeta("API keys");

export default function AccountKeys() {
  return (
    <AccountPage
      title="API keys"
      introduction={
        <>
          A key lets a program call the <Link to="/api/docs">API</Link> as you. It{" "}
          {isPrivate ? "cannot" : "can spend your credits, but cannot make payments,"} delete your account or create
          other keys.
        </>
      }
    >
      {() => <KeyPage />}
    </AccountPage>
  );
}
