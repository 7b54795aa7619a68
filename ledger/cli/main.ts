import { enableCompileCache } from "node:module";
import { join } from "node:path";

// For a process that was started without `--disable-sigusr1`: its debugger would give any user of the machine the seal key.
process.on("SIGUSR1", () => undefined);
// Code in the folder is run, so the folder must be the user's own: all users share the default.
const caches = process.env["XDG_CACHE_HOME"] ?? (process.env["HOME"] && join(process.env["HOME"], ".cache"));
if (process.env["NODE_COMPILE_CACHE"] !== undefined || process.platform === "win32") enableCompileCache();
else if (caches) enableCompileCache(join(caches, "ledger-rpc"));
const [{ run }, { escapeConsole }] = await Promise.all([
  import("./program.ts"),
  import("../../runtime/operations/cli/index.ts"),
]);
escapeConsole();
await run(process.argv);
