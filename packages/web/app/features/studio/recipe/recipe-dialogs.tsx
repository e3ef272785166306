import { Dialog } from "../../../ui/dialog.tsx";
import { RecipeBook } from "./recipe-book.tsx";
import { SaveRecipe } from "./save-recipe.tsx";

type Props = { open: "book" | "save" | undefined; onClose(): void };

/** Default export: it is loaded by `lazy`. */
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
