import { type Camel, toSnake } from "./casing.ts";
import { operations } from "./generated/operations.gen.ts";
import * as sdk from "./generated/sdk.gen.ts";
import type { EditFileData } from "./generated/types.gen.ts";
import type { Result } from "./result.ts";
import type { CallOptions, FormCall, Order } from "./work.ts";

/** The names of the operations in the server's manifest, in camelCase. */
export type OperationName = keyof typeof operations;
type ApiName<Name extends OperationName = OperationName> = (typeof operations)[Name]["name"];

type Body<Name extends OperationName> = NonNullable<Parameters<(typeof sdk)[Name]>[0]["body"]>;
/** Fields for jobs that run in the background. */
type JobField = "output_url" | "webhook_url";
type WithPictures<Fields, Input> = {
  [Key in keyof Fields]: Blob extends Fields[Key] ? Input | Exclude<Fields[Key], Blob> : Fields[Key];
};

/** Options of an operation in camelCase: `maxBytes`. */
export type OperationOptions<Name extends OperationName, Input, Left extends string = JobField> = WithPictures<
  Camel<Omit<Body<Name>, "files" | "image_url" | Left>>,
  Input
>;

/** A method for each operation. The options argument is optional if none is required. */
export type OperationMethods<Input> = {
  [Name in keyof Pick<typeof sdk, OperationName>]: (
    files: Input | readonly Input[],
    ...options: object extends OperationOptions<Name, Input>
      ? [options?: OperationOptions<Name, Input>, call?: CallOptions]
      : [options: OperationOptions<Name, Input>, call?: CallOptions]
  ) => Promise<Result>;
};

/** One operation with its options: `{ resize: { width: 1200 } }`. */
export type RecipeStep = { [Name in ApiName]?: Record<string, unknown> };
/** The name of a recipe stored on the server, or steps. */
export type RecipeChoice = string | { steps: RecipeStep[] };

/** An operation by its API name, with its options, or a recipe. */
export type WorkOf<Input> =
  | {
      [Name in OperationName]: { operation: ApiName<Name>; options?: OperationOptions<Name, Input, never> };
    }[OperationName]
  | { recipe: RecipeChoice; options?: { outputUrl?: string; webhookUrl?: string } };

export const operationNames = Object.keys(operations) as OperationName[];

export function operationOrder<Input>(
  name: OperationName,
  files: Order<Input>["files"],
  options: object = {},
): Order<Input> {
  const { pictures, takesUrls } = operations[name];
  // A generated call provides only its path, method and headers; the caller builds the form.
  // biome-ignore lint/performance/noDynamicNamespaceImportAccess: a new operation needs no change here
  return { call: sdk[name] as unknown as FormCall, files, fields: { ...options }, pictures, takesUrls };
}

export function recipeOrder<Input>(
  recipe: RecipeChoice,
  files: Order<Input>["files"],
  options: object = {},
): Order<Input> {
  const written = typeof recipe === "string" ? recipe : JSON.stringify(toSnake(recipe));
  const call = sdk.runRecipe as unknown as FormCall; // as above
  return { call, files, fields: { ...options, recipe: written }, pictures: [], takesUrls: true };
}

/** Fields of an edit, in camelCase. */
export type EditOptions<Input> = WithPictures<Camel<EditFileData["body"]>, Input>;

export function editOrder<Input>(path: { id: string; index: number }, options: object = {}): Order<Input> {
  const call = ((request: Parameters<FormCall>[0]) => sdk.editFile({ ...request, path })) as unknown as FormCall; // as above
  return { call, files: [], fields: { ...options }, pictures: ["background_image", "matte"], takesUrls: false };
}

/** @throws TypeError for an operation that the client does not know */
export function workOrder<Input>(work: WorkOf<Input>, files: Order<Input>["files"]): Order<Input> {
  if ("recipe" in work) return recipeOrder(work.recipe, files, work.options);
  const name = operationNames.find((one) => operations[one].name === work.operation);
  if (!name) throw new TypeError(`There is no operation ${String(work.operation)}.`);
  return operationOrder(name, files, work.options);
}
