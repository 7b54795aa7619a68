import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    pool: "forks",
    reporters: ["minimal"],
    silent: "passed-only",
    testTimeout: 20_000,
  },
});
