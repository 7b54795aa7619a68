import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

/** Runs a command of `ledger-server` over a data folder, beside a service in the test: nothing waits for it in the same turn. */
export async function ledgerServerBeside(args: readonly string[], dataDir: string) {
  const child = spawn(process.execPath, ["ledger/cli/main.ts", ...args], {
    cwd: join(import.meta.dirname, "../.."),
    env: { ...process.env, PORT: "0", OPERATOR_PORT: "0", LEDGER_DATA_DIR: dataDir },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let out = "";
  let err = "";
  child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (err += chunk.toString()));
  const [code] = await once(child, "close");
  return { code: Number(code), out, err };
}
