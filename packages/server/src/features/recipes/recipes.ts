import {
  type ChosenRecipe,
  creditsPerFile,
  DomainError,
  operationNames,
  presets,
  type Recipe,
  type RecipeStep,
  type WrittenStep,
} from "@tintype/contract";
import { maxRecipes, recipeSteps, writeSteps } from "@tintype/contract/schemas";
import { and, asc, eq, sql } from "drizzle-orm";
import type { Caller } from "../../http/caller.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Database, Transaction } from "../../platform/db/database.ts";
import { newId } from "../../platform/id.ts";
import { lockOwnAccount } from "../accounts/accounts.ts";
import { recipes as table } from "./tables.ts";

type NewRecipe = { name: string; steps: RecipeStep[] };

/** People's own recipes, and those that ship with the product. */
export type Recipes = {
  list(caller: Caller): Promise<Recipe[]>;
  /** The account's own, without the product's. */
  listOwn(accountId: string): Promise<Recipe[]>;
  /** @throws not-found, including for another account's */
  find(accountId: string, id: string): Promise<Recipe>;
  /** @throws conflict when the name is taken, or there are too many */
  create(accountId: string, recipe: NewRecipe): Promise<Recipe>;
  /** @throws not-found, conflict */
  replace(accountId: string, id: string, recipe: NewRecipe): Promise<Recipe>;
  /** @throws not-found */
  remove(accountId: string, id: string): Promise<void>;
  /** The steps of a chosen recipe: the caller's own of that name, or the product's. @throws not-found */
  stepsOf(caller: Caller, chosen: ChosenRecipe): Promise<readonly [RecipeStep, ...RecipeStep[]]>;
};

type Row = typeof table.$inferSelect;

export function createRecipes({ db, clock }: { db: Database; clock: Clock }): Recipes {
  const mine = (accountId: string, id: string) => and(eq(table.accountId, accountId), eq(table.id, id));
  const named = (accountId: string, name: string) =>
    and(eq(table.accountId, accountId), sql`lower(${table.name}) = lower(${name})`);

  /** Serialises concurrent requests, which are counted and compared in turn. */
  const requireFree = async (tx: Transaction, accountId: string, { name, id }: { name: string; id?: string }) => {
    await lockOwnAccount(tx, accountId);
    const [same] = await tx.select({ id: table.id }).from(table).where(named(accountId, name));
    if (presetNamed(name) || (same && same.id !== id))
      throw new DomainError("conflict", {
        field: "name",
        detail: `There is already a recipe "${name}". Choose another name.`,
      });
    if (id === undefined && (await tx.$count(table, eq(table.accountId, accountId))) >= maxRecipes)
      throw new DomainError("conflict", {
        detail: `An account can have up to ${maxRecipes} recipes. Delete one you do not use.`,
      });
  };

  const listOwn: Recipes["listOwn"] = async (accountId) => {
    const rows = await db
      .select()
      .from(table)
      .where(eq(table.accountId, accountId))
      .orderBy(asc(sql`lower(${table.name})`));
    return rows.map(viewOf);
  };

  return {
    listOwn,
    async list(caller) {
      const own = caller.kind === "person" ? await listOwn(caller.accountId) : [];
      return [...own, ...presets.map(presetView)];
    },
    async find(accountId, id) {
      const [row] = await db.select().from(table).where(mine(accountId, id));
      if (!row) throw new DomainError("not-found");
      return viewOf(row);
    },
    create: (accountId, { name, steps }) =>
      db.transaction(async (tx) => {
        await requireFree(tx, accountId, { name });
        const now = clock.now();
        const [row] = await tx
          .insert(table)
          .values({ id: newId("rec"), accountId, name, steps: writeSteps(steps), createdAt: now, updatedAt: now })
          .returning();
        if (!row) throw new Error("The recipe could not be kept.");
        return viewOf(row);
      }),
    replace: (accountId, id, { name, steps }) =>
      db.transaction(async (tx) => {
        await requireFree(tx, accountId, { name, id });
        const [row] = await tx
          .update(table)
          .set({ name, steps: writeSteps(steps), updatedAt: clock.now() })
          .where(mine(accountId, id))
          .returning();
        if (!row) throw new DomainError("not-found");
        return viewOf(row);
      }),
    async remove(accountId, id) {
      const gone = await db.delete(table).where(mine(accountId, id)).returning({ id: table.id });
      if (gone.length === 0) throw new DomainError("not-found");
    },
    async stepsOf(caller, chosen) {
      if ("steps" in chosen) return requireSteps(chosen.steps);
      const [row] =
        caller.kind === "person" ? await db.select().from(table).where(named(caller.accountId, chosen.name)) : [];
      const steps = row?.steps ?? presetNamed(chosen.name)?.steps;
      if (!steps)
        throw new DomainError("not-found", { field: "recipe", detail: `There is no recipe "${chosen.name}".` });
      return requireSteps(recipeSteps.parse(steps));
    },
  };
}

/** Removes every recipe of the account: it has a new owner. */
export async function removeAllRecipes(tx: Transaction, accountId: string): Promise<void> {
  await tx.delete(table).where(eq(table.accountId, accountId));
}

const presetNamed = (name: string) => presets.find((preset) => preset.name === name.toLowerCase());

function requireSteps([first, ...rest]: readonly RecipeStep[]): readonly [RecipeStep, ...RecipeStep[]] {
  if (!first) throw new DomainError("invalid-request", { field: "recipe" });
  return [first, ...rest];
}

const viewOf = ({ id, name, steps, updatedAt }: Row): Recipe => ({
  id,
  name,
  preset: false,
  updated_at: updatedAt.toISOString(),
  steps: steps as Recipe["steps"], // written by this file alone, from parsed steps
  credits_per_file: priceOf(steps as WrittenStep[]),
});

/** From the names only, so that a stored recipe stays visible if a later release rejects its options. */
const priceOf = (steps: readonly WrittenStep[]): number =>
  creditsPerFile(
    steps.flatMap((step) => operationNames.filter((name) => name in step)).map((operation) => ({ operation })),
  );

const presetView = ({ name, about, source, steps }: (typeof presets)[number]): Recipe => ({
  id: name,
  name,
  about,
  source,
  preset: true,
  steps: steps as Recipe["steps"], // the table's own rows
  credits_per_file: priceOf(steps),
});
