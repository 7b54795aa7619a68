// Starts a command of this package on the Node it needs: compiled JavaScript where the package ships it, the
// TypeScript itself in a clone.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");

export function launch(entry, nodeFlags = []) {
  const compiled = join(root, "dist", entry + ".js");
  const file = existsSync(compiled) ? compiled : join(root, entry + ".ts");
  const ownNode = join(root, "node_modules", "node", "bin", "node");
  const node =
    Number(process.versions.node.split(".")[0]) >= 24 || !existsSync(ownNode) ? process.execPath : ownNode;
  const run = spawnSync(node, nodeFlags.concat(file, process.argv.slice(2)), { stdio: "inherit" });
  process.exit(run.status === null ? 1 : run.status);
}
