#!/usr/bin/env node
import module from "node:module";

// Keeps the compiled code between runs: on Node 22 and later, start-up takes a third less.
if ("enableCompileCache" in module) module.enableCompileCache();
const { main } = await import("./main.ts");
await main();
