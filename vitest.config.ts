import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    pool: "forks",
    reporters: process.stdout.isTTY ? ["default"] : ["dot"],
    silent: "passed-only",
    testTimeout: 20_000,
  },
});
