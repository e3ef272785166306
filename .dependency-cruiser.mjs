// The architecture. Lists run from bottom to top; a module may import itself and what stands to its left.
const packages = ["contract", "imaging", "payment-sandbox", "server"]; // codecs stand beside contract; web beside server, on contract, the client's core and the codecs' header readers
const layers = ["platform", "http", "features", "(composition/|[^/]+[.]ts$)"];
/** The rooms of the codecs: what they share, algorithms, file formats, the package's entry. */
const codecsFloors = [
  ["raster/", "kernels/", "colour/", "(error|bytes|read-bytes|curve)[.]ts"],
  ["entropy/", "score/", "palette/"],
  ["(bmp|gif|headers|ico|jpeg|png)/"],
  ["index[.]ts"],
];
/** The rooms of imaging. Rooms of one floor stand apart. */
const imagingFloors = [
  ["task[.]ts", "check-kernels[.]ts", "colour/"],
  ["raster/"],
  ["model/", "resample/", "quality/", "metadata/"],
  ["formats/"],
  ["upscale/", "cutout/"],
  ["operations/"],
  ["imaging[.]ts"],
  ["process[.]ts", "index[.]ts", "check-models[.]ts"],
];
const features = [
  "accounts",
  "keys",
  "credits",
  "billing",
  "invoices",
  "jobs",
  "webhooks",
  "recipes",
  "quote",
  "compatibility",
  "contact",
  "location",
  "desk",
];
/** The rooms of the server's jobs. Rooms of one floor stand apart. */
const jobsFloors = [
  ["tables[.]ts"],
  ["record/"],
  ["limits/"],
  ["queue/"],
  ["settle/"],
  ["work/", "deliver/"],
  ["(sweep|uploads)[.]ts"],
  ["jobs[.]ts"],
  ["order/"],
  ["http/"],
];
/** Behind the server's ports. Only the composition names them. */
const adapters = [
  "db/(pglite|postgres)",
  "blobs/(folder|s3|small-in-redis)",
  "work/(local|bullmq)",
  "bus/(local|redis)",
  "rate-limits/(memory|redis)",
  "payments/(razorpay|sandbox)",
  "redis[.]ts",
  "mail-smtp",
  "tracing/open-telemetry",
];
/** The studio's floors: what is decided, what is done, what is shown, and what the pages take in. */
const studioFloors = ["state/", "work/", "parts/", "[^/]+$"];
const webLayers = ["(ui|lib)/", "features/", "(routes/|routes[.]ts|root[.]tsx)"];

const never = (name, from, to) => ({ name, severity: "error", from, to });
const upward = (label, names, path) =>
  names
    .slice(0, -1)
    .map((name, i) =>
      never(`${label}: ${name} is below`, { path: path(name) }, { path: names.slice(i + 1).map(path) }),
    );
const anyOf = (names) => `(${names.join("|")})`;
const server = "^packages/server/src/";
const codecs = "^packages/codecs/src/";
const imaging = "^packages/imaging/src/";
const jobs = `${server}features/jobs/`;
const test = "([.]test[.]tsx?$|/testing/)";
const notTests = (rule) => ({ ...rule, from: { ...rule.from, pathNot: test } });
const apart = (label, floors, base) =>
  floors
    .map((rooms) => base + anyOf(rooms))
    .map((floor) =>
      notTests(
        never(`${label}: rooms stand apart on ${floor}`, { path: floor }, { path: floor, pathNot: `${base}$1` }),
      ),
    );
const only = (module, owner) =>
  never(
    `only ${owner} imports ${module}`,
    { path: "^packages/", pathNot: [`^packages/${owner}`, test] },
    { path: `node_modules/(${module})/` },
  );

export default {
  forbidden: [
    never("no circles", { pathNot: "[.]gen[.]ts$" }, { circular: true }),
    never("every import resolves", {}, { couldNotResolve: true, pathNot: "[+]types/" }),
    never(
      "every dependency is declared",
      // The builder of published packages is the root's.
      { path: "^packages/", pathNot: [test, "/tsdown[.]config[.]ts$"] },
      { dependencyTypes: ["npm-no-pkg", "unknown"], pathNot: "[+]types/" },
    ),
    ...upward("packages", packages, (name) => `^packages/${name}/`),
    never(
      "the codecs stand alone: all of them go into their tarball",
      { path: codecs, pathNot: test },
      { path: "(^packages/(?!codecs/)|node_modules/)" },
    ),
    never("the codecs' tests stand alone too", { path: codecs }, { path: "^packages/(?!codecs/)" }),
    never("the codecs run in browsers", { path: codecs, pathNot: test }, { dependencyTypes: ["core"] }),
    ...upward("codecs", codecsFloors, (rooms) => codecs + anyOf(rooms)).map(notTests),
    never(
      "imaging alone stands on the codecs, and web on their header readers",
      { path: "^packages/(?!codecs/|imaging/|web/)", pathNot: test },
      { path: "^packages/codecs/" },
    ),
    never(
      "web takes the codecs' header readers only",
      { path: "^packages/web/" },
      { path: codecs, pathNot: `${codecs}headers/index[.]ts$` },
    ),
    never(
      "the codecs are imported by their entry points",
      { path: imaging, pathNot: test },
      { path: codecs, pathNot: [`${codecs}(index|curve)[.]ts$`, `${codecs}.*/index[.]ts$`] },
    ),
    never(
      "web knows the contract and the client only",
      { path: "^packages/web/" },
      { path: "^packages/(imaging|payment-sandbox|server)/" },
    ),
    never(
      "no package imports web",
      { path: "^packages/(contract|imaging|payment-sandbox|server)/" },
      { path: "^packages/web/" },
    ),
    never(
      "the contract's facts and api load no schemas",
      { path: "^packages/contract/src/(facts|api|index[.]ts)", pathNot: test },
      { path: "(^packages/contract/src/(schemas|reference)/|node_modules/zod/)", dependencyTypesNot: ["type-only"] },
    ),
    never(
      "pages load no schemas, and no prose of the reference",
      { path: "^packages/web/app/", pathNot: [test, "[.]server[.]tsx?$"] },
      { path: "(^packages/contract/src/(schemas|reference)/|node_modules/zod/)", dependencyTypesNot: ["type-only"] },
    ),
    never(
      "the client stands alone: all of it goes into its tarball",
      { path: "^packages/client/src/", pathNot: test },
      { path: "(^packages/(?!client/)|node_modules/)" },
    ),
    never(
      "the client's Node.js part stays out of browsers",
      {
        path: "^packages/client/src/",
        pathNot: [test, "^packages/client/src/node(-platform|-private-network)?[.]ts$"],
      },
      { path: "^packages/client/src/node(-platform|-private-network)?[.]ts$" },
    ),
    never(
      "only the client's Node.js part imports Node.js",
      {
        path: "^packages/client/src/",
        pathNot: [test, "^packages/client/src/node(-platform|-private-network)?[.]ts$"],
      },
      { dependencyTypes: ["core"] },
    ),
    never(
      "the product's own packages do without the client",
      { path: "^packages/(contract|imaging|payment-sandbox|server)/" },
      { path: "^packages/client/" },
    ),
    never(
      "web takes the client's core only",
      { path: "^packages/web/" },
      { path: "^packages/client/", pathNot: "^packages/client/src/core[.]ts$" },
    ),
    never(
      "the client's core stands below the rest of it",
      { path: "^packages/client/src/(core|event-stream|retry)[.]ts$" },
      { path: "^packages/client/src/", pathNot: "^packages/client/src/(event-stream|retry)[.]ts$" },
    ),
    never(
      "the tools stand on contract, imaging, client and toolkit",
      { path: "^packages/(toolkit|cli|mcp|unplugin)/", pathNot: test },
      { path: "^packages/(payment-sandbox|server|web)/" },
    ),
    never(
      "the product does without the tools",
      { path: "^packages/(client|contract|imaging|payment-sandbox|server|web)/" },
      { path: "^packages/(toolkit|cli|mcp|unplugin)/" },
    ),
    never("the toolkit knows no tool", { path: "^packages/toolkit/" }, { path: "^packages/(cli|mcp|unplugin)/" }),
    never(
      "a start of the command loads no engine, schema or server call",
      { path: "^packages/cli/src/(tintype|main|program|operation-flags|exit-codes)[.]ts$" },
      {
        path: "(^packages/(imaging|toolkit|client|contract/src/schemas)/|node_modules/zod/)",
        dependencyTypesNot: ["type-only", "dynamic-import"],
      },
    ),
    never("the sandbox stands apart", { path: "^packages/payment-sandbox/" }, { path: "^packages/imaging/" }),
    never(
      "only the composition and its adapter know the sandbox",
      { path: server, pathNot: [test, `${server}(composition/payments|platform/payments/sandbox-records)[.]ts`] },
      { path: "^packages/payment-sandbox/" },
    ),
    ...upward("imaging", imagingFloors, (rooms) => imaging + anyOf(rooms)).map(notTests),
    ...apart("imaging", imagingFloors, imaging),
    never(
      "imaging: only the registry knows the formats' modules",
      { path: imaging, pathNot: [test, `${imaging}formats/registry[.]ts$`] },
      { path: `${imaging}formats/([^/]+)/\\1[.]ts$` },
    ),
    never(
      "imaging: a format is read through its module",
      { path: imaging, pathNot: [test, `${imaging}formats/[^/]+/`] },
      { path: `${imaging}formats/[^/]+/read[.]ts$` },
    ),
    ...upward("server", layers, (name) => server + name).map(notTests),
    ...upward("features", features, (name) => `${server}features/${name}/`).map(notTests),
    ...upward("jobs", jobsFloors, (rooms) => jobs + anyOf(rooms)).map(notTests),
    ...apart("jobs", jobsFloors, jobs),
    never(
      "features own their tables: others ask them, or hang a row on theirs",
      { path: `${server}features/([^/]+)/`, pathNot: [test, "/tables[.]ts$"] },
      { path: `${server}features/[^/]+/tables[.]ts$`, pathNot: `${server}features/$1/` },
    ),
    never(
      "only features read their tables",
      { path: `${server}(platform|http|composition|[^/]+[.]ts$)`, pathNot: test },
      { path: `${server}features/[^/]+/tables[.]ts$` },
    ),
    ...upward("web", webLayers, (name) => `^packages/web/app/${name}`),
    ...upward("studio", studioFloors, (name) => `^packages/web/app/features/studio/${name}`).map(notTests),
    never(
      "the studio decides without a browser or a page",
      { path: "^packages/web/app/features/studio/state/", pathNot: test },
      { path: "(^packages/web/app/ui/|node_modules/(react|react-dom|react-router)/)" },
    ),
    never(
      "web features stand apart",
      { path: "^packages/web/app/features/([^/]+)/" },
      { path: "^packages/web/app/features/", pathNot: "^packages/web/app/features/$1/" },
    ),
    never("test helpers stay in tests", { path: "^packages/", pathNot: test }, { path: "/testing/" }),
    never(
      "features use ports, not adapters",
      { path: `${server}features/`, pathNot: test },
      { path: `${server}platform/${anyOf(adapters)}` },
    ),
    only("sharp|onnxruntime-node", "imaging/"),
    only("@opentelemetry/[^/]+|@fastify/otel", "server/src/platform/tracing/"),
    only("better-auth", "(server/src/features/accounts/|web/app/features/session/)"),
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: ["^packages/[^/]+/(build|dist)/", "/[.]react-router/", "[+]types/"] },
    tsPreCompilationDeps: true,
    // Its paths lead to the client's source: what is built of it need not be there.
    tsConfig: { fileName: "tsconfig.base.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["types", "import", "node", "default"],
      extensions: [".ts", ".tsx", ".js"],
    },
  },
};
