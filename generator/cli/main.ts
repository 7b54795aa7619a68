/** The command `ledger-rpc`. Compiled code is cached, so that a run starts as fast as its work allows. */
import { enableCompileCache } from "node:module";

enableCompileCache();
for (const stream of [process.stdout, process.stderr]) stream.on("error", ignoreClosedPipe);
const { runProgram } = await import("./program.ts");
process.exitCode = await runProgram(process.argv.slice(2));

/** A reader such as `head` closes the pipe when it has read enough: the command goes on and ends as it would. */
function ignoreClosedPipe(cause: NodeJS.ErrnoException): void {
  if (cause.code !== "EPIPE") throw cause;
}
