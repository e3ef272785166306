import { type OperationName, type OutputFormat, tasks } from "@tintype/contract";
import { type DragEvent, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { joinClasses } from "../../lib/join-classes.ts";
import { Button } from "../../ui/button.tsx";
import { initialToolEvents } from "./state/initial-tool.ts";
import { droppedEntries } from "./work/intake/data-transfer.ts";
import { useStudio } from "./work/studio-context.tsx";
import { anchorOf, tools } from "./work/tools.ts";

type Props = {
  tool: OperationName;
  /** For convert: the format preset in the studio. */
  targetFormat?: OutputFormat | undefined;
  invitation: string;
};

/** A small drop zone on another page. It opens the studio with the added pictures and the right tool. */
export function OpenInStudio({ tool, targetFormat, invitation }: Props) {
  const studio = useStudio();
  const navigate = useNavigate();
  const input = useRef<HTMLInputElement>(null);
  const [isHeldOver, setIsHeldOver] = useState(false);
  const Icon = tools.find(({ value }) => value === tool)?.icon;

  function enter(): void {
    for (const event of initialToolEvents({ tool, settings: targetFormat && { target_format: targetFormat } }))
      studio.dispatch(event);
    void navigate(`/#${anchorOf(tool)}`);
  }
  function onDrop(event: DragEvent) {
    event.preventDefault();
    setIsHeldOver(false);
    const dropped = droppedEntries(event.dataTransfer);
    studio.addDropped(dropped);
    enter();
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a drop target; the button below is the accessible alternative
    <div
      className={joinClasses(
        "plate relative flex flex-col items-start gap-4 rounded-lg p-6 transition-shadow sm:flex-row sm:items-center sm:p-8",
        isHeldOver && "plate-lit",
      )}
      onDragOver={(event) => {
        event.preventDefault();
        setIsHeldOver(true);
      }}
      onDragLeave={() => setIsHeldOver(false)}
      onDrop={onDrop}
    >
      <div aria-hidden className="plate-line pointer-events-none absolute inset-2" />
      {Icon && <Icon className="size-7 shrink-0 text-accent" />}
      <p className="mr-auto max-w-md font-serif text-xl leading-snug text-balance">{invitation}</p>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        accept="image/*"
        aria-label={`Images to ${tasks[tool].label.toLowerCase()}`}
        onChange={({ target }) => {
          const files = [...(target.files ?? [])];
          target.value = "";
          if (files.length === 0) return;
          studio.addFiles(files);
          enter();
        }}
      />
      <Button
        kind="primary"
        onClick={() => {
          input.current?.click();
        }}
      >
        Choose images
      </Button>
    </div>
  );
}
