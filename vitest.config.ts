import { availableParallelism } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";

// A shell in which somebody runs a service has its settings: tests must not write to the database of that one.
const settings = /^((LEDGER|OPERATOR|PARTNER|RPC|OTEL)_\w+|PORT|PG[A-Z]+)$/;
for (const name of Object.keys(process.env)) if (settings.test(name)) delete process.env[name];

const isSoak = Number(process.env["TEST_EFFORT"] ?? 1) > 1;
const hourMs = 3_600_000;
const postgresTests = "test/postgres/**/*.test.ts";
const ciTests = "test/**/*.ci.test.ts";
const nightlyTests = "test/**/*.nightly.test.ts";
/** One PostgreSQL server for all files of a project, started only where one of them runs. */
const globalSetup = ["test/postgres/global-setup.ts"];

/** Node loads modules itself, as it does for users: what Vite makes of them took a quarter of the processor time. */
const experimental = { viteModuleRunner: false, nodeLoader: false };

export default defineConfig({
  test: {
    pool: "forks",
    globalSetup: ["test/built.ts"],
    // Files share the modules that they load: loading them anew for each file took half of the time.
    isolate: false,
    // One more than two cores have: some tests wait for a socket to be closed, or for a lock.
    maxWorkers: Math.max(2, availableParallelism()),
    // Programs and threads that tests start strip the types of the same modules again and again. That takes a tenth
    // to a half of their processor time.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, ".cache/compile") },
    // A larger young generation: a worker keeps what all its files load, and much less of the rest survives.
    execArgv: ["--max-semi-space-size=64"],
    reporters: ["minimal"],
    silent: "passed-only",
    // Only what hangs ever gets there: how long a test takes on a busy machine says nothing.
    testTimeout: isSoak ? 4 * hourMs : 600_000,
    hookTimeout: 600_000,
    teardownTimeout: 600_000,
    expect: { poll: { timeout: 600_000, interval: 10 } },
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["test/**/*.test.ts"],
          exclude: [postgresTests, ciTests, nightlyTests],
          experimental,
        },
      },
      {
        extends: true,
        test: {
          name: "postgres",
          include: [postgresTests],
          exclude: [ciTests, nightlyTests],
          globalSetup,
          experimental,
        },
      },
      { extends: true, test: { name: "ci", include: [ciTests], globalSetup, experimental } },
      { extends: true, test: { name: "nightly", include: [nightlyTests], globalSetup, experimental } },
    ],
  },
});
