import { type ResolveFnOutput, registerHooks } from "node:module";

// Import before drizzle-orm. For every file imported from a package, Node reads its package.json. Drizzle-orm's has 179 KB
// of exports, and the server imports 500 of its files: that was half of the startup time.

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
