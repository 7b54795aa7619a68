// Runs before `npm start` and `npm test`, under whatever Node the machine has (so: old syntax only). Installs the
// dependencies when they are missing or older than the lock file; among them is the Node that everything else runs on.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createHash } from "node:crypto";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const marker = join(root, "node_modules", ".ledger-rpc-lock");
const lock = createHash("sha256")
  .update(readFileSync(join(root, "package-lock.json")))
  .digest("hex");
const ownNode = join(root, "node_modules", "node", "bin", "node");

if (!existsSync(marker) || readFileSync(marker, "utf8") !== lock || !existsSync(ownNode)) {
  console.error("Installing dependencies (npm ci) …");
  npm(process.execPath);
  // An old npm leaves out native packages whose `engines` exclude the Node that npm runs on: install again with ours.
  if (Number(process.versions.node.split(".")[0]) < 20) npm(ownNode);
  writeFileSync(marker, lock);
}

function npm(node) {
  const cli = process.env.npm_execpath;
  const args = ["ci", "--no-audit", "--no-fund", "--loglevel=error"];
  const run = cli
    ? spawnSync(node, [cli].concat(args), { cwd: root, stdio: ["ignore", 2, 2] })
    : spawnSync("npm", args, { cwd: root, stdio: ["ignore", 2, 2] });
  if (run.status !== 0) {
    console.error("npm ci failed. Check that the npm registry can be reached, then run the command again.");
    process.exit(run.status || 1);
  }
}
