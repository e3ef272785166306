import { CopyButton } from "../../ui/copy-button.tsx";
import { Scrollable } from "../../ui/scrollable.tsx";

/** Code to paste into a shell. */
export function CodeBlock({ code, label }: { code: string; label: string }) {
  return (
    <div className="rounded-md bg-sunken">
      <div className="flex justify-end px-1 pt-1">
        <CopyButton text={code} label={`Copy: ${label}`} />
      </div>
      <Scrollable label={`Example: ${label}`} className="overflow-x-auto rounded-md">
        <pre className="px-4 pt-1 pb-4 font-mono text-[0.8125rem] leading-relaxed">
          <code>{code}</code>
        </pre>
      </Scrollable>
    </div>
  );
}
