import { presets, type Recipe, type WrittenStep } from "@tintype/contract";
import { useCallback, useState } from "react";
import { useApi } from "../../../../lib/api/context.tsx";
import { isPrivate } from "../../../../lib/brand.ts";
import { countOf } from "../../../../lib/size.ts";
import { useRead } from "../../../../lib/use-read.ts";
import { Button } from "../../../../ui/button.tsx";
import { Dialog } from "../../../../ui/dialog.tsx";
import { ActionForm } from "../../../../ui/form.tsx";
import { priceOf } from "../../state/order.ts";
import { chooseStep } from "../../state/steps.ts";
import { useStudio, useStudioState } from "../../work/studio-context.tsx";
import { loadSteps } from "./change-steps.ts";
import { describeStep } from "./describe-step.ts";
import { Losses } from "./losses.tsx";
import { SaveRecipe } from "./save-recipe.tsx";

type Props = { open: "book" | "save" | undefined; onClose(): void };

/** Default export for `lazy`. */
export default function RecipeDialogs({ open, onClose }: Props) {
  return (
    <>
      <Dialog title="Recipes" isOpen={open === "book"} onClose={onClose} className="max-w-xl">
        <RecipeBook onTaken={onClose} />
      </Dialog>
      <Dialog title="Save or share" isOpen={open === "save"} onClose={onClose}>
        <SaveRecipe />
      </Dialog>
    </>
  );
}

/** The user's own recipes and the built-in ones. */
function RecipeBook({ onTaken }: { onTaken(): void }) {
  const isGuest = useStudioState(({ caller }) => !caller || caller.tier === "guest");
  return (
    <div className="flex flex-col gap-8">
      {isGuest ? <GuestHint /> : <SavedRecipes onTaken={onTaken} />}
      <section aria-label="Ready-made">
        <h3 className="font-sans text-sm font-medium tracking-normal">Ready-made</h3>
        <ul className="mt-1 divide-y divide-line">
          {presets.map(({ name, about, steps }) => (
            <Row key={name} title={about} steps={steps} onTaken={onTaken} />
          ))}
        </ul>
      </section>
    </div>
  );
}

function GuestHint() {
  const studio = useStudio();
  return (
    <p className="text-sm text-muted">
      Sign up to save recipes.{" "}
      <button type="button" className="rounded-sm text-ink underline underline-offset-2" onClick={studio.signUp}>
        Sign up
      </button>
    </p>
  );
}

function SavedRecipes({ onTaken }: { onTaken(): void }) {
  const api = useApi();
  const { data, problem, read } = useRead(useCallback((signal) => api.call("GET /recipes", { signal }), [api]));
  const saved = data?.recipes.filter(({ preset }) => !preset);
  return (
    <section aria-label="Your own">
      <h3 className="font-sans text-sm font-medium tracking-normal">Your own</h3>
      <div role="alert">{problem && <p className="mt-2 text-sm text-accent-ink">{problem}</p>}</div>
      {problem && (
        <Button size="sm" className="mt-2" onClick={() => void read()}>
          Try again
        </Button>
      )}
      {!saved && !problem && <p className="mt-2 text-sm text-muted">Loading...</p>}
      {saved?.length === 0 && (
        <p className="mt-2 text-sm text-muted">None yet. Set up your steps, then choose Save or share.</p>
      )}
      <ul className="mt-1 divide-y divide-line">
        {saved?.map((recipe) => (
          <Row key={recipe.id} title={recipe.name} steps={recipe.steps} onTaken={onTaken}>
            <DeleteRecipe recipe={recipe} onDeleted={() => void read()} />
          </Row>
        ))}
      </ul>
    </section>
  );
}

type RowProps = { title: string; steps: readonly WrittenStep[]; onTaken(): void; children?: React.ReactNode };

function Row({ title, steps, onTaken, children }: RowProps) {
  const studio = useStudio();
  const chosen = chooseStep(steps);
  const words = steps.map(describeStep).join(" → ");
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-2 py-3">
      <div className="min-w-48 flex-1">
        <p className="text-sm font-medium wrap-anywhere">{title}</p>
        <p className="mt-0.5 text-xs text-muted wrap-anywhere">{words}</p>
        <div className="text-xs text-muted">
          {chosen
            ? !isPrivate && `${countOf(priceOf(steps), "credit")} per image`
            : "This recipe has options that the studio does not show. Run it with the API."}
          {chosen && <Losses steps={steps} />}
        </div>
      </div>
      <div className="flex items-center gap-1">
        {children}
        <Button
          size="sm"
          disabled={!chosen}
          aria-label={`Use ${title}`}
          onClick={() => loadSteps(studio, steps) && onTaken()}
        >
          Use
        </Button>
      </div>
    </li>
  );
}

/** Deletes a recipe after a confirmation in its row. */
function DeleteRecipe({ recipe: { id, name }, onDeleted }: { recipe: Recipe; onDeleted(): void }) {
  const api = useApi();
  const [isConfirming, setIsConfirming] = useState(false);
  if (!isConfirming)
    return (
      <Button kind="quiet" size="sm" aria-label={`Delete ${name}`} onClick={() => setIsConfirming(true)}>
        Delete
      </Button>
    );
  return (
    <ActionForm
      button="Delete for good"
      size="sm"
      action={async () => {
        await api.call("DELETE /recipes/{id}", { params: { id } });
        onDeleted();
      }}
    />
  );
}
