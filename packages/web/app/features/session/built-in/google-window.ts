import { randomId } from "../../../lib/random-id.ts";
import { IdentityProblem, type IdentityProblemCode } from "../identity-problem.ts";
import { textIn, valueIn } from "./provider.ts";

const widthPx = 500;
const heightPx = 640;
const pollIntervalMs = 400;

/** The message that the provider's last page posts to its opener (better-auth's oauth-popup). */
const messageType = "better-auth:oauth-popup";

/**
 * Opens Google's sign-in in a popup; the redirect back sets the session cookie. Undefined if the browser blocks the
 * popup. Resolves when the popup finishes or closes; ask the provider afterwards whether somebody is signed in.
 * @throws IdentityProblem with the provider's error
 */
export function openGoogleWindow(base: string): Promise<void> | undefined {
  const provider = new URL(`${base}/oauth-popup/start`, window.location.href);
  const nonce = randomId();
  provider.search = String(
    new URLSearchParams({ provider: "google", popupOrigin: window.location.origin, popupNonce: nonce }),
  );
  const left = window.screenX + (window.outerWidth - widthPx) / 2;
  const top = window.screenY + (window.outerHeight - heightPx) / 2;
  const features = `popup,width=${widthPx},height=${heightPx},left=${left},top=${top}`;
  const opened = window.open(provider, "tintype-google", features);
  return opened ? waitFor(opened, { origin: provider.origin, nonce }) : undefined;
}

function waitFor(opened: Window, { origin, nonce }: { origin: string; nonce: string }): Promise<void> {
  return new Promise((resolve, reject) => {
    const onMessage = ({ origin: from, data }: MessageEvent<unknown>) => {
      if (from !== origin || textIn(data, "type") !== messageType || textIn(data, "nonce") !== nonce) return;
      const error = valueIn(data, "error");
      end();
      if (error) reject(new IdentityProblem(googleProblem(textIn(error, "code")), error));
      else resolve();
    };
    const poll = setInterval(() => {
      if (!opened.closed) return;
      end();
      resolve(); // closed by the person, or before its message was read: asking who is signed in tells which
    }, pollIntervalMs);
    const end = () => {
      clearInterval(poll);
      window.removeEventListener("message", onMessage);
      opened.close();
    };
    window.addEventListener("message", onMessage);
  });
}

/** Error codes of OpenID Connect (Core 1.0, 3.1.2.6) and of the provider around it. */
export function googleProblem(code: string): IdentityProblemCode {
  if (code === "access_denied") return "google-declined";
  if (code === "NOT_ADMITTED") return "not-admitted";
  return /account_not_linked|email_doesn't_match|already_linked/.test(code) ? "other-method" : "unknown";
}
