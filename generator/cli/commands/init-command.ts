import type { Command } from "commander";
import { exitCodesHelp } from "../exit-code.ts";
import type { Terminal } from "../terminal.ts";
import type { InitOptions } from "./init.ts";

/** Adds `init` to the command line. */
export function addInitCommand(
  program: Command,
  terminal: () => Terminal,
  exit: (code: number) => void,
): void {
  program
    .command("init")
    .summary("make a new project: spec, handlers, server, test")
    .description(
      "Makes a project in a folder of its own: a spec in YAML, what is generated from it, handlers, a server and a test. Writes over nothing.",
    )
    .argument("<name>", "name of the project, of its folder and its interface")
    .option("-t, --template <template>", "what the project starts with", "minimal")
    .option("-f, --from <folder>", "install ledger-rpc and its runtime from the tarballs in this folder")
    .addHelpText("after", help)
    .action(async (name: string, options: InitOptions) => {
      const { init } = await import("./init.ts");
      exit(await init(name, options, terminal()));
    });
}

const help = `
Templates:
  minimal  a list of tasks in memory, open to all
  bearer   the same, for callers with a JSON Web Token
  service  signed calls, a database, webhooks and an audit trail
  empty    a spec without methods, and no service: for an interface of your own

Examples:
  $ ledger-rpc init tasks
  $ ledger-rpc init tasks --template bearer
  $ ledger-rpc init tasks --from ../tarballs

${exitCodesHelp(
  "the project is made",
  "it could not be generated: the message says why",
  "a name, template or folder of tarballs that makes no sense, or files\nin the way",
)}`;
