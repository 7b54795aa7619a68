// Starts a command of this package on the Node it needs: compiled JavaScript where the package ships it, the
// TypeScript itself in a clone.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { constants } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");

export function launch(entry, nodeFlags = []) {
  const compiled = join(root, "dist", entry + ".js");
  const file = existsSync(compiled) ? compiled : join(root, entry + ".ts");
  const ownNode = join(root, "node_modules", "node", "bin", "node");
  const node =
    Number(process.versions.node.split(".")[0]) >= 24 || !existsSync(ownNode) ? process.execPath : ownNode;
  const child = spawn(node, nodeFlags.concat(file, process.argv.slice(2)), { stdio: "inherit" });
  // What ends this process ends the command: a service would go on without anybody who knows of it.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("error", (error) => {
    console.error(error.message);
    process.exit(1);
  });
  child.on("exit", (code, signal) => process.exit(code === null ? 128 + constants.signals[signal] : code));
}
