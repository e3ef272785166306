// The test checkout's script. It offers the same API as the gateway's own: window.Razorpay with open(), close(),
// on("payment.failed"), handler and modal.ondismiss. The window itself is an iframe from the server that sent this
// script.
(() => {
  const base = new URL(".", document.currentScript.src);

  class Razorpay {
    #options;
    #listeners = new Map();
    #dialog;
    #onMessage;

    constructor(options) {
      if (!options?.key || !options.subscription_id) throw new Error("Razorpay needs key and subscription_id.");
      this.#options = options;
    }

    on(event, listener) {
      this.#listeners.set(event, [...(this.#listeners.get(event) ?? []), listener]);
      return this;
    }

    open() {
      if (this.#dialog) return;
      const dialog = document.createElement("dialog");
      dialog.setAttribute("aria-label", "Payment, test mode");
      // An open dialog of the page may have disabled pointer events, and the page's styles are unknown.
      dialog.style.cssText =
        "pointer-events:auto;border:0;padding:0;margin:auto;width:min(26rem,100vw);height:min(43rem,100dvh);max-width:none;" +
        "max-height:none;border-radius:12px;overflow:hidden;background:transparent;color-scheme:light dark";
      const frame = document.createElement("iframe");
      frame.title = "Payment, test mode: no money moves";
      frame.style.cssText = "border:0;width:100%;height:100%;display:block";
      frame.src = this.#address();
      dialog.append(frame);
      dialog.addEventListener("cancel", (event) => {
        event.preventDefault();
        this.#dismiss();
      });
      this.#onMessage = ({ source, origin, data }) => {
        if (source !== frame.contentWindow || origin !== base.origin) return;
        if (data?.type === "paid") this.#finish(data.response);
        else if (data?.type === "failed") this.#emit("payment.failed", { error: data.error });
        else if (data?.type === "dismiss") this.#dismiss();
      };
      window.addEventListener("message", this.#onMessage);
      document.body.append(dialog);
      this.#dialog = dialog;
      dialog.showModal();
      frame.focus();
    }

    close() {
      if (!this.#dialog) return;
      window.removeEventListener("message", this.#onMessage);
      this.#dialog.close();
      this.#dialog.remove();
      this.#dialog = undefined;
    }

    #address() {
      const { key, subscription_id, name, description, prefill, theme } = this.#options;
      const address = new URL("window.html", base);
      const shown = { key, subscription_id, name, description, email: prefill?.email, color: theme?.color };
      for (const [field, value] of Object.entries(shown)) if (value) address.searchParams.set(field, String(value));
      return address.href;
    }

    #finish(response) {
      this.close();
      this.#emit("payment.success", response);
      this.#options.handler?.(response);
    }

    #dismiss() {
      this.close();
      this.#options.modal?.ondismiss?.();
    }

    #emit(event, detail) {
      for (const listener of this.#listeners.get(event) ?? []) listener(detail);
    }
  }

  window.Razorpay = Razorpay;
})();
