import { test } from "vitest";
import { expectFairVerdicts } from "./independent-verdicts.ts";

test("a service with habits of its own is held to the document alone", () => expectFairVerdicts("object"));
