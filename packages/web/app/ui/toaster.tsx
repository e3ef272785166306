import { Toaster as Sonner } from "sonner";

/** Sonner in our colours. A default export because `lazy` loads it. */
export default function Toaster() {
  return (
    <Sonner
      // Below the header and its notice line, where pages have their titles: controls and their messages are further down.
      position="top-center"
      offset={{ top: "var(--toast-top)" }}
      mobileOffset={{ top: "var(--toast-top)" }}
      duration={7000}
      closeButton
      toastOptions={{
        style: {
          background: "var(--color-surface)",
          color: "var(--color-ink)",
          border: "1px solid var(--color-line)",
          borderRadius: "var(--radius-lg)",
          boxShadow: "var(--shadow-card)",
          fontFamily: "var(--font-sans)",
          fontSize: "0.875rem",
        },
      }}
    />
  );
}
