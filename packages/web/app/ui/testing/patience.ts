import { configure } from "@testing-library/react";

/** Chunks load when first rendered, which takes longer than a second on a busy machine. */
configure({ asyncUtilTimeout: 15_000 });
