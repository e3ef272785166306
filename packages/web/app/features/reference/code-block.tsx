import { CopyButton } from "../../ui/copy-button.tsx";

/** Something to paste into a shell. */
export function CodeBlock({ code, label }: { code: string; label: string }) {
  return (
    <div className="relative rounded-md bg-sunken">
      <CopyButton text={code} label={`Copy: ${label}`} className="absolute top-1 right-1 bg-sunken" />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre
        tabIndex={0}
        aria-label={label}
        role="region"
        className="overflow-x-auto rounded-md p-4 pr-16 font-mono text-[0.8125rem] leading-relaxed"
      >
        <code>{code}</code>
      </pre>
    </div>
  );
}
