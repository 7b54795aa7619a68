import { spawnSync } from "node:child_process";
import { join } from "node:path";

/** Runs a command of `ledger-server` to its end. */
export function ledgerServer(args: readonly string[], env: Record<string, string> = {}) {
  const run = spawnSync(process.execPath, ["ledger/cli/main.ts", ...args], {
    cwd: join(import.meta.dirname, "../.."),
    env: { ...process.env, PORT: "0", OPERATOR_PORT: "0", ...env },
    encoding: "utf8",
  });
  return { code: run.status, out: run.stdout, err: run.stderr };
}
