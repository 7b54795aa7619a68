import { test } from "vitest";
import { expectNoLeak } from "./no-leak.ts";

test("a client's memory stays where it is, however many calls are made", () => expectNoLeak("node24"));
