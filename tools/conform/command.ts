import type { Command } from "commander";
import { conformHelp, withConformOptions } from "../../conformance/cli/options.ts";
import type { Terminal } from "../../generator/cli/terminal.ts";
import type { Options } from "./conform.ts";

/** Adds `conform` to the command line. */
export function addConformCommand(
  program: Command,
  terminal: () => Terminal,
  exit: (code: number) => void,
): void {
  withConformOptions(program.command("conform"))
    .summary("try a running service with every case of the interface")
    .option("-c, --config <file>", "config file (default: the nearest ledger-rpc.yaml, from here upwards)")
    .option(
      "-s, --spec <name>",
      "the spec of the config whose interface it is (default: ledger, or the only one)",
    )
    .addHelpText("after", conformHelp("ledger-rpc conform"))
    .action(async (options: Options) => {
      const { conform } = await import("./conform.ts");
      exit(await conform(options, terminal()));
    });
}
