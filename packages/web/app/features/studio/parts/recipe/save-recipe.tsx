import type { Recipe, WrittenStep } from "@tintype/contract";
import { useCallback, useId, useState } from "react";
import { useApi } from "../../../../lib/api/context.tsx";
import { isPrivate } from "../../../../lib/brand.ts";
import { countOf } from "../../../../lib/size.ts";
import { useRead } from "../../../../lib/use-read.ts";
import { Button } from "../../../../ui/button.tsx";
import { CopyButton } from "../../../../ui/copy-button.tsx";
import { TextField } from "../../../../ui/field.tsx";
import { ActionForm } from "../../../../ui/form.tsx";
import { formOrder, priceOf } from "../../state/order.ts";
import { recipeObstacle } from "../../state/steps.ts";
import { useStudio, useStudioState } from "../../work/studio-context.tsx";
import { describeStep } from "./describe-step.ts";
import { Losses } from "./losses.tsx";
import { maxNameLength, writeLink } from "./recipe-link.ts";

/** Saves the current steps under a name, or shares them as a link. */
export function SaveRecipe() {
  const tool = useStudioState((state) => state.tool);
  const { settings, steps } = formOrder(useStudioState((state) => state));
  const obstacle = recipeObstacle({ tool, settings });
  const studio = useStudio();
  const linkId = useId();
  const [name, setName] = useState("");
  const isGuest = useStudioState(({ caller }) => !caller || caller.tier === "guest");
  if (obstacle)
    return (
      <p role="alert" className="text-sm text-accent-ink">
        {obstacle}
      </p>
    );
  const link = writeLink(steps, window.location.origin, name);
  return (
    <div className="flex flex-col gap-6">
      <div className="rounded-md bg-sunken px-4 py-3 text-sm">
        <ol>
          {steps.map((step, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two steps may be equal
            <li key={index} className="flex gap-3 wrap-anywhere">
              <span className="text-muted">{index + 1}</span>
              {describeStep(step)}
            </li>
          ))}
        </ol>
        {!isPrivate && <p className="mt-1 text-muted">{countOf(priceOf(steps), "credit")} per image</p>}
        <div className="text-accent-ink">
          <Losses steps={steps} />
        </div>
      </div>
      {isGuest ? (
        <div>
          <p className="mb-3 text-sm text-muted">Sign up to save this recipe.</p>
          <Button onClick={studio.signUp}>Sign up</Button>
        </div>
      ) : (
        <KeepForm steps={steps} name={name} onName={setName} />
      )}
      <div>
        <label htmlFor={linkId} className="mb-1.5 block text-sm font-medium">
          Link
        </label>
        <div className="flex items-center gap-2">
          <input
            id={linkId}
            readOnly
            value={link}
            onFocus={({ target }) => target.select()}
            className="min-h-10 min-w-0 flex-1 rounded-md border border-edge bg-surface px-3 text-sm text-muted"
          />
          <CopyButton text={link} label="Copy the link" />
        </div>
        <p className="mt-1.5 text-sm text-muted">
          The link opens a page with these steps, their name, and no images. Anyone who has it can run them.
        </p>
      </div>
    </div>
  );
}

type KeepProps = { steps: readonly WrittenStep[]; name: string; onName(name: string): void };

function KeepForm({ steps, name, onName }: KeepProps) {
  const api = useApi();
  const { data } = useRead(useCallback((signal) => api.call("GET /recipes", { signal }), [api]));
  const [saved, setSaved] = useState<Recipe>();
  const same = data?.recipes.find((one) => !one.preset && one.name.toLowerCase() === name.trim().toLowerCase());
  if (saved)
    return (
      <p role="status" className="text-sm">
        Saved as “{saved.name}”. The API can run it by this name too.
      </p>
    );
  return (
    <ActionForm
      button={same ? `Replace “${same.name}”` : "Save"}
      action={async () => {
        const json = { name: name.trim(), steps };
        setSaved(
          await (same
            ? api.call("PUT /recipes/{id}", { params: { id: same.id }, json })
            : api.call("POST /recipes", { json })),
        );
      }}
    >
      <TextField
        label="Name"
        required
        maxLength={maxNameLength}
        value={name}
        onChange={({ target }) => onName(target.value)}
        placeholder="shop"
      />
    </ActionForm>
  );
}
