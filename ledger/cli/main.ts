import { enableCompileCache } from "node:module";
import { join } from "node:path";

// For a process that was started without `--disable-sigusr1`: its debugger would give any user of the machine the seal key.
process.on("SIGUSR1", () => undefined);
// What is found in the folder is run, so it is the user's own: the default is one that every user shares.
const caches = process.env["XDG_CACHE_HOME"] ?? (process.env["HOME"] && join(process.env["HOME"], ".cache"));
if (process.env["NODE_COMPILE_CACHE"] !== undefined || process.platform === "win32") enableCompileCache();
else if (caches) enableCompileCache(join(caches, "ledger-rpc"));
const [{ run }, { escapeConsole }] = await Promise.all([
  import("./program.ts"),
  import("../../runtime/operations/cli/terminal-text.ts"),
]);
escapeConsole();
await run(process.argv);
