import type { Command } from "commander";
import { exitCodesHelp } from "../exit-code.ts";
import type { Terminal } from "../terminal.ts";
import type { UpgradeOptions } from "./upgrade.ts";

/** Adds `upgrade` to the command line. */
export function addUpgradeCommand(
  program: Command,
  terminal: () => Terminal,
  exit: (code: number) => void,
): void {
  program
    .command("upgrade")
    .summary("bring a project to this version of the generator")
    .description(
      "Rewrites what this version of the generator reads differently: YAML and imports, nothing else. Says what is left to do by hand.",
    )
    .option("-c, --config <file>", "config file (default: the nearest ledger-rpc.yaml, from here upwards)")
    .option("--dry-run", "say what would be rewritten, and write nothing")
    .addHelpText("after", help)
    .action(async (options: UpgradeOptions) => {
      const { upgrade } = await import("./upgrade.ts");
      exit(upgrade(options, terminal()));
    });
}

const help = `
Examples:
  $ ledger-rpc upgrade --dry-run
  $ ledger-rpc upgrade

${exitCodesHelp("rewritten, or nothing to rewrite", "a file could not be rewritten")}`;
