import type { Option } from "../../../../ui/choice.tsx";
import { SelectField } from "../../../../ui/field.tsx";
import { defaultColour, fieldValue } from "../../state/form-fields.ts";
import { ColourField, OperationField } from "./operation-field.tsx";
import { type OptionsProps, useSetting } from "./use-setting.ts";

type Kind = "none" | "white" | "transparent" | "blur" | "colour";

const kinds: ReadonlyArray<Option<Kind>> = [
  { value: "none", label: "None" },
  { value: "white", label: "White" },
  { value: "transparent", label: "Transparent" },
  { value: "blur", label: "Blurred image" },
  { value: "colour", label: "Another colour" },
];

const white = "#ffffff";
/** Where the choice of another colour begins. */
const firstColour = "#f4f1ea";

const canvasFor = (kind: Kind) =>
  kind === "none" ? "" : kind === "white" ? white : kind === "colour" ? firstColour : kind;

function kindOf(canvas: string): Kind {
  if (canvas === "") return "none";
  if (canvas === white || canvas === "white") return "white";
  return canvas === "transparent" || canvas === "blur" ? canvas : "colour";
}

/** What fills the rest of the box around a fitted image. */
export function CanvasOptions({ problemIn }: OptionsProps) {
  const [values, change] = useSetting("resize");
  const canvas = fieldValue("resize", values, "canvas");
  const kind = kindOf(canvas);
  const field = { tool: "resize", problemIn } as const;
  return (
    <>
      <SelectField
        label="Canvas"
        hint={kind === "none" ? "Fills the rest of the size, so that every result is exactly that large." : undefined}
        options={kinds}
        value={kind}
        onChoose={(chosen) => change({ canvas: canvasFor(chosen) })}
        problemId={problemIn("canvas")}
      />
      {kind === "colour" && (
        <ColourField
          label="Canvas colour"
          value={canvas.startsWith("#") ? canvas : defaultColour}
          onChange={(chosen) => change({ canvas: chosen })}
        />
      )}
      {kind !== "none" && (
        <div className="grid grid-cols-2 gap-3">
          <OperationField name="position" isList {...field} />
          <OperationField name="padding" placeholder="0" {...field} />
        </div>
      )}
    </>
  );
}
