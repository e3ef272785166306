/** Whether this page can ask for a passkey. WebAuthn exists only in secure contexts: with TLS, or on localhost. */
export const hasPasskeys = (): boolean => typeof PublicKeyCredential === "function";
