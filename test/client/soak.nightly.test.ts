import { describe, test } from "vitest";
import { expectNoLeak } from "./no-leak.ts";
import { engines, isInstalled } from "./soak.ts";

// `npm run soak:client` installs the older Nodes; where it never ran, they are left out.
const found = engines.filter(isInstalled);

describe("a client's memory", () => {
  test.each(found)("stays where it is on %s, however many calls are made", expectNoLeak);
});
