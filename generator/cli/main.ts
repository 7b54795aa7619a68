/** The command `ledger-rpc`. Compiled code is cached, so that a run starts as fast as its work allows. */
import { enableCompileCache } from "node:module";

enableCompileCache();
const { runProgram } = await import("./program.ts");
process.exitCode = await runProgram(process.argv.slice(2));
