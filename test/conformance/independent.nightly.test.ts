import { test } from "vitest";
import { expectFairVerdicts } from "./independent-verdicts.ts";

test.each(["text", "ok"] as const)(
  "a service with habits of its own is held to the document alone, errors as %s",
  expectFairVerdicts,
);
