/** The part of rolldown's context that names a module's imports. */
type Context = { getModuleInfo(id: string): { importedIds: readonly string[] } | null };

/**
 * Rolldown makes a chunk of whatever the same pages share, and so three dozen of a few hundred bytes for the home page.
 * Put together they are 5 KB smaller when packed: what the frame of every page loads is one chunk, and what the studio
 * needs before there is a picture another. Everything else is divided as it comes.
 */
export const chunkGroups = () => {
  const reached = new Map<string, Set<string>>();
  const reachedFrom = (entry: string, context: Context): Set<string> => {
    const known = reached.get(entry);
    if (known) return known;
    const found = new Set<string>();
    const visit = (id: string) => {
      if (found.has(id)) return;
      found.add(id);
      for (const imported of context.getModuleInfo(id)?.importedIds ?? []) visit(imported);
    };
    visit(entry);
    reached.set(entry, found);
    return found;
  };
  const app = `${import.meta.dirname}/app`;
  return [
    { name: "framework", test: /node_modules\/(react|react-dom|react-router|scheduler)\// },
    {
      debugName: "first load",
      name: (id: string, context: Context) => {
        if (/node_modules|[.]css|[?]__react-router/.test(id)) return null;
        // Every page reaches these through the package's indices; `facts/error.ts` loads with the first refusal.
        if (/\/contract\//.test(id))
          return /\/contract\/src\/(facts\/(text|format|plan|operations\/[a-z-]+)|api\/(address|create-api|problem))[.]ts$/.test(
            id,
          )
            ? "site"
            : null;
        if (reachedFrom(`${app}/root.tsx`, context).has(id)) return "site";
        if (!reachedFrom(`${app}/routes/home.tsx`, context).has(id)) return null;
        if (/\/app\/(ui|lib)\//.test(id)) return "site";
        return /\/features\/(studio|home|faq)\//.test(id) ? "studio" : null;
      },
    },
  ];
};
