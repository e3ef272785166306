import { CopyButton } from "../../ui/copy-button.tsx";
import { Scrollable } from "../../ui/scrollable.tsx";

/** Something to paste into a shell. */
export function CodeBlock({ code, label }: { code: string; label: string }) {
  return (
    <div className="relative rounded-md bg-sunken">
      <CopyButton text={code} label={`Copy: ${label}`} className="absolute top-1 right-1 z-10 bg-sunken" />
      <Scrollable label={`Example: ${label}`} className="overflow-x-auto rounded-md">
        <pre className="p-4 pr-16 font-mono text-[0.8125rem] leading-relaxed">
          <code>{code}</code>
        </pre>
      </Scrollable>
    </div>
  );
}
