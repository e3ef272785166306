import { configure } from "@testing-library/react";

/** Chunks load when they are first shown, which takes longer than a second on a busy machine. */
configure({ asyncUtilTimeout: 15_000 });
