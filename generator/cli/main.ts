/** The command `ledger-rpc`. Compiled code is cached, so that a run starts as fast as its work allows. */
import { enableCompileCache } from "node:module";
import { join } from "node:path";

// Code found in the folder runs, so the folder must be the user's own: the default is one that every user shares.
const caches = process.env["XDG_CACHE_HOME"] ?? (process.env["HOME"] && join(process.env["HOME"], ".cache"));
if (process.env["NODE_COMPILE_CACHE"] !== undefined || process.platform === "win32") enableCompileCache();
else if (caches) enableCompileCache(join(caches, "ledger-rpc"));
for (const stream of [process.stdout, process.stderr]) stream.on("error", ignoreClosedPipe);
const { runProgram } = await import("./program.ts");
process.exitCode = await runProgram(process.argv.slice(2));

/** A reader such as `head` closes the pipe when it has read enough: the command goes on and ends as it would. */
function ignoreClosedPipe(cause: NodeJS.ErrnoException): void {
  if (cause.code !== "EPIPE") throw cause;
}
