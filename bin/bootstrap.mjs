// Runs before `npm start`, `npm test` and the generator, under any Node (so: old syntax only). Installs dependencies that are
// missing or older than the lock file; among them is the Node that everything else runs on. `bootstrap.mjs server` leaves out
// devDependencies, but keeps a full installation as it is; it also builds the reference pages and the documents that pages read. `bootstrap.mjs built` builds
// everything that is generated and not committed.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createHash } from "node:crypto";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const purpose = process.argv[2];
const isServerOnly = purpose === "server";
const marker = join(root, "node_modules", ".ledger-rpc-lock");
const lockFile = join(root, "package-lock.json");
const lock = createHash("sha256").update(readFileSync(lockFile)).digest("hex");
const ownNode = join(root, "node_modules", "node", "bin", "node");
// npm puts the installed Node first in the path: the machine's own is the one that npm runs on.
const machine = (/ node\/v([\d.]+)/.exec(process.env.npm_config_user_agent || "") || [])[1];
const machineNode = machine || process.versions.node;
const major = Number(machineNode.split(".")[0]);
// The service needs 24.7: see launch.mjs.
const isNewEnough = major > 24 || (major === 24 && Number(machineNode.split(".")[1]) >= 7);

if (!hasNode() || !isInstalled(isServerOnly)) install();
if (isServerOnly && !isNewEnough)
  console.error("This machine has Node " + machineNode + ": running on the Node 24 in node_modules.");
if (isServerOnly) build(["json-schema", "openrpc", "reference"]);
// The service does without its pages.
else if (purpose === "built" && build([]) !== 0) process.exit(1);

function build(targets) {
  const node = existsSync(ownNode) ? ownNode : process.execPath;
  const env = Object.assign({ NODE_COMPILE_CACHE: join(root, ".cache", "compile") }, process.env);
  const args = ["--disable-warning=ExperimentalWarning", join(root, "tools", "built.ts")].concat(targets);
  return spawnSync(node, args, { env: env, stdio: ["ignore", 2, 2] }).status;
}

function hasNode() {
  return existsSync(ownNode) || (isServerOnly && isNewEnough);
}

function install() {
  const kept = hasNode() && isInstalled(true);
  const omitsDev = isServerOnly && !hasDevDependencies();
  const dev = omitsDev ? "--omit=dev" : "--include=dev";
  const command = (kept ? ["install", "--no-save"] : ["ci"]).concat(dev);
  console.error("Installing dependencies (npm " + command.join(" ") + ") …");
  const node = process.env.npm_node_execpath || process.execPath;
  npm(command, existsSync(node) ? node : process.execPath);
  // npm leaves out optional packages whose `engines` exclude the Node that it runs on: with ours it adds them.
  if (major < 24 && existsSync(ownNode)) npm(["install", "--no-save", dev], ownNode);
  if (!hasNode()) {
    console.error(
      "npm did not install Node 24, because it ran no install scripts. Remove `ignore-scripts` from npm's configuration, " +
        "or install Node 24.7 or later, then run the command again.",
    );
    process.exit(1);
  }
  writeFileSync(marker, (omitsDev ? "server " : "") + lock);
}

// Whether the present installation, of whatever age, is a developer's.
function hasDevDependencies() {
  const installed = installedPackages();
  return Object.keys(installed || {}).some(function (path) {
    return installed[path].dev === true;
  });
}

// npm's own record; undefined where there is none, or only a part of one.
function installedPackages() {
  try {
    return JSON.parse(readFileSync(join(root, "node_modules", ".package-lock.json"), "utf8")).packages;
  } catch {
    return undefined;
  }
}

// Whether this script, or another `npm ci` or `npm install`, left exactly the packages of the lock file.
function isInstalled(withoutDev) {
  const text = existsSync(marker) ? readFileSync(marker, "utf8") : "";
  if (text === lock || (withoutDev && text === "server " + lock)) return true;
  const installed = installedPackages();
  if ((major < 20 && !withoutDev) || installed === undefined) return false;
  const wanted = JSON.parse(readFileSync(lockFile, "utf8")).packages;
  const named = namedByInstalled(wanted, installed);
  return Object.keys(wanted).every(function (path) {
    if (path === "" || (withoutDev && wanted[path].dev === true)) return true;
    // `--omit=optional` and an npm on an old Node leave packages out that the server starts without.
    if (withoutDev && wanted[path].optional === true && installed[path] === undefined) return true;
    if (installed[path] !== undefined) return installed[path].version === wanted[path].version;
    return wanted[path].optional === true && (isForOtherMachines(wanted[path]) || !named.has(nameOf(path)));
  });
}

// An optional package that names no machine is left out only by an npm on an old Node.
function isForOtherMachines(wanted) {
  return (wanted.os || wanted.cpu || wanted.libc) !== undefined;
}

// The packages that an installed one asks for. Packages that only other machines need are left out, with their
// dependencies.
function namedByInstalled(wanted, installed) {
  const names = new Set();
  for (const path of Object.keys(wanted)) {
    if (path !== "" && installed[path] === undefined) continue;
    const asked = [
      wanted[path].dependencies,
      wanted[path].optionalDependencies,
      wanted[path].devDependencies,
    ];
    for (const each of asked) Object.keys(each || {}).forEach((name) => names.add(name));
  }
  return names;
}

function nameOf(path) {
  return path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
}

function npm(command, node) {
  const cli = process.env.npm_execpath;
  const args = command.concat("--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error");
  // Started directly, npm is the one of the path: what it starts, and itself, runs on the first Node there.
  const env = Object.assign({}, process.env, { PATH: dirname(node) + delimiter + (process.env.PATH || "") });
  const options = { cwd: root, env: env, stdio: ["ignore", 2, 2] };
  const run = cli ? spawnSync(node, [cli].concat(args), options) : spawnSync("npm", args, options);
  if (run.status !== 0) {
    console.error(
      "npm " +
        command.join(" ") +
        " failed. Check that the npm registry can be reached, then run the command again.",
    );
    process.exit(run.status || 1);
  }
}
