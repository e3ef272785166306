import { Toaster as Sonner } from "sonner";

/** Sonner in our colours. Default export: it is loaded by `lazy`. */
export default function Toaster() {
  return (
    <Sonner
      position="bottom-right"
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
