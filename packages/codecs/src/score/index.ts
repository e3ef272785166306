export { likenessTo, ssimulacra2 } from "./ssimulacra2.ts";
