import { type ResolveFnOutput, registerHooks } from "node:module";

// To be imported before drizzle-orm. Node reads a package's package.json for every file that it imports from the package; that of
// drizzle-orm has 179 KB of exports and the server imports 500 of its files, which was half of the time of a start.

const inside = "/node_modules/drizzle-orm/";
const entries = new Map<string, ResolveFnOutput>();

registerHooks({
  resolve(specifier, context, next) {
    if (specifier.startsWith(".") && specifier.endsWith(".js") && context.parentURL?.includes(inside))
      return { url: new URL(specifier, context.parentURL).href, format: "module", shortCircuit: true };
    if (specifier !== "drizzle-orm" && !specifier.startsWith("drizzle-orm/")) return next(specifier, context);
    const entry = entries.get(specifier) ?? next(specifier, context);
    entries.set(specifier, entry);
    return { ...entry, shortCircuit: true };
  },
});
