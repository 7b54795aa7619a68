import { afterEach, expect, test, vi } from "vitest";
import { credentialVariables } from "../../tools/call/credentials.ts";
import { settingsOf } from "../../runtime/operations/config/index.ts";
import { application } from "../../ledger/application.ts";

const settings = settingsOf(application);

afterEach(() => void vi.unstubAllEnvs());

test("no test sees what the shell says of a service or a database", async () => {
  const names = [
    ...settings.map(({ env }) => env),
    ...Object.keys(credentialVariables),
    "LEDGER_CONFIG",
    "PGPASSWORD",
  ];
  expect(names.filter((name) => process.env[name] !== undefined)).toEqual([]);
  for (const name of names) vi.stubEnv(name, "of the shell");
  await import("../../vitest.config.ts");
  expect(names.filter((name) => process.env[name] !== undefined)).toEqual([]);
});
