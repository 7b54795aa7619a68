import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    pool: "forks",
    maxWorkers: "100%",
    reporters: ["minimal"],
    silent: "passed-only",
    testTimeout: 60_000,
  },
});
