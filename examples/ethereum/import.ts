import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync } from "node:fs";

// Makes spec/ from the document that @metamask/api-specs ships, then generates. Neither is kept here: both follow the package.
const document = "node_modules/@metamask/api-specs/dist/build/openrpc.json";
if (!existsSync(document)) throw new Error(`${document} is not there: run npm install`);
rmSync("spec", { recursive: true, force: true });
mkdirSync("spec");
run("import", document, "--lossy", "--name", "ethereum", "--out", "spec");
run("generate");

function run(...args: readonly string[]): void {
  execFileSync("npx", ["--no-install", "ledger-rpc", ...args], { stdio: ["ignore", "ignore", "pipe"] });
}
