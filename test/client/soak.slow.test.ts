import { describe, test } from "vitest";
import { expectNoLeak } from "./no-leak.ts";
import { engines, isInstalled } from "./soak.ts";

// `npm run soak:client` installs the older Nodes; where it never ran, they are left out.
const others = engines.filter((engine) => engine !== "node24" && isInstalled(engine));

describe("a client's memory", () => {
  test.each(others)("stays where it is on %s, too", expectNoLeak);
});
