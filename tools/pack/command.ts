import { Option, type Command } from "commander";
import { exitCodesHelp } from "../../generator/cli/exit-code.ts";
import type { Terminal } from "../../generator/cli/terminal.ts";
import type { PackCommandOptions } from "./pack.ts";

/** Adds `pack` to the command line. */
export function addPackCommand(
  program: Command,
  terminal: () => Terminal,
  exit: (code: number) => void,
): void {
  program
    .command("pack")
    .summary("make a package of each generated client")
    .description(
      "Compiles each generated client to JavaScript and declarations, for import and for require, and packs it into a tarball that npm installs and publishes. Prints the path of each. Without --scope or --name a package is private: it is installed from its file.",
    )
    .option("-c, --config <file>", "config file (default: the nearest ledger-rpc.yaml, from here upwards)")
    .option("-s, --spec <name...>", "only the clients of these specs of the config, by folder name")
    .addOption(new Option("-o, --out <folder>", "where to, from the folder of the config").default("dist"))
    .option("--scope <scope>", "your scope, put before the package's own name")
    .option("--name <name>", "the whole name of the package")
    .option("--package-version <number>", "its version (default: the revision of the interface)")
    .addHelpText("after", help)
    .action(async (options: PackCommandOptions) => {
      const { pack } = await import("./pack.ts");
      exit(await pack(options, terminal()));
    });
}

const help = `
Examples:
  $ ledger-rpc pack
  $ ledger-rpc pack --scope your-scope --package-version 2.1.0
  $ npm publish dist/your-scope-tasks-client-2.1.0.tgz

${exitCodesHelp("packed", "a client was not generated, or does not compile")}`;
