// Starts a command of this package on the Node that it needs: compiled JavaScript in a package, TypeScript in a clone.
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { constants } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");

// The service's statements have numbered parameters (?1), which an older node:sqlite does not take from a list.
const serviceNodeMin = "24.7";

const require = createRequire(import.meta.url);

// This process has the environment of the command, its secrets among it: SIGUSR1 must open no debugger here either.
process.on("SIGUSR1", () => {});

// `nodeMin` counts for compiled code; a clone needs what the service needs.
export function launch(entry, { nodeFlags = [], nodeMin = serviceNodeMin }) {
  if (printsVersion(process.argv.slice(2))) return;
  const compiled = join(root, entry + ".js");
  const isCompiled = existsSync(compiled);
  const file = isCompiled ? compiled : join(root, entry + ".ts");
  const node = suitableNode(isCompiled ? nodeMin : serviceNodeMin);
  if (node === process.execPath && nodeFlags.length === 0) {
    import(pathToFileURL(file).href);
    return;
  }
  const args = nodeFlags.concat(file, process.argv.slice(2));
  // In the place of this process: whatever ends it ends the command, SIGKILL too. Windows and older Nodes cannot.
  if (process.platform !== "win32") process.execve?.(node, [node, ...args], process.env);
  // One that a signal opened before this file was read.
  require("node:inspector").close();
  const child = spawn(node, args, { stdio: "inherit" });
  // A signal that ends this process ends the command, too.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("error", (error) => {
    console.error(error.message);
    process.exit(1);
  });
  child.on("exit", (code, signal) => process.exit(code === null ? 128 + constants.signals[signal] : code));
}

// Scripts ask for the version often: it is in the manifest, and neither the command nor another process is needed for it.
function printsVersion(args) {
  const asks = args.length === 1 && (args[0] === "--version" || args[0] === "-V");
  if (asks) console.log(JSON.parse(readFileSync(join(root, "package.json"), "utf8")).version);
  return asks;
}

// This process's Node where it is new enough, or the one that was installed as a dependency.
function suitableNode(nodeMin) {
  if (isAtLeast(nodeMin)) return process.execPath;
  const needed = `Node ${nodeMin} or later is needed; this is Node ${process.versions.node}`;
  const own = installedNode();
  if (own !== undefined) {
    console.error(`${needed}. Running on the one in ${own}.`);
    return own;
  }
  const here = existsSync("package.json")
    ? "run `npm install --save-dev node@24` in this project"
    : "begin the command with `npx --package=node@24 --package=<tarball or name of this package> `";
  console.error(`${needed}. Install it from https://nodejs.org, or ${here}.`);
  process.exit(1);
}

function isAtLeast(nodeMin) {
  const [major, minor] = process.versions.node.split(".").map(Number);
  const [majorMin, minorMin] = nodeMin.split(".").map(Number);
  return major > majorMin || (major === majorMin && minor >= minorMin);
}

function installedNode() {
  try {
    const manifest = require.resolve("node/package.json");
    const file = join(dirname(manifest), "bin", "node");
    return existsSync(file) ? file : undefined;
  } catch {
    return undefined;
  }
}
