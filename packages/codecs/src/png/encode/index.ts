export { createFilter, filterLayout } from "./filter.ts";
