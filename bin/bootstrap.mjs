// Runs before `npm start`, `npm test` and the generator, under whatever Node the machine has (so: old syntax only). Installs the
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
const major = Number(process.versions.node.split(".")[0]);

if (!existsSync(ownNode) || !(isMarked() || isInstalled())) {
  console.error("Installing dependencies (npm ci) …");
  npm(process.execPath);
  // An old npm leaves out native packages whose `engines` exclude the Node that npm runs on: install again with ours.
  if (major < 20) npm(ownNode);
  writeFileSync(marker, lock);
}

function isMarked() {
  return existsSync(marker) && readFileSync(marker, "utf8") === lock;
}

// Whether somebody else's `npm ci` or `npm install` left exactly what the lock file says.
function isInstalled() {
  const record = join(root, "node_modules", ".package-lock.json");
  if (major < 20 || !existsSync(record)) return false;
  const installed = JSON.parse(readFileSync(record, "utf8")).packages;
  const wanted = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")).packages;
  return Object.keys(wanted).every(function (path) {
    if (path === "") return true;
    if (installed[path] === undefined) return wanted[path].optional === true;
    return installed[path].version === wanted[path].version;
  });
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
