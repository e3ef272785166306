// Types for imports of web sets. A pattern has room for one `*`, so options stand before `web-set`.
declare module "*?web-set" {
  const set: import("./imported-set.js").ImportedSet;
  export default set;
}
declare module "*&web-set" {
  const set: import("./imported-set.js").ImportedSet;
  export default set;
}
