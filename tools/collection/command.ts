import { Argument, Option, type Command } from "commander";
import { exitCodesHelp } from "../../generator/cli/exit-code.ts";
import type { Terminal } from "../../generator/cli/terminal.ts";
import type { CollectionOptions } from "./collection.ts";

/** Adds `collection` to the command line. */
export function addCollectionCommand(
  program: Command,
  terminal: () => Terminal,
  exit: (code: number) => void,
): void {
  program
    .command("collection")
    .summary("make a collection of requests for Postman or Bruno")
    .description(
      "Writes a request for each operation, and the script that signs them where the interface is signed. With --access it also writes an environment, which holds what the access file holds: keep it to yourself.",
    )
    .addArgument(new Argument("<format>", "for which program").choices(["bruno", "postman"]))
    .option("-c, --config <file>", "config file (default: the nearest ledger-rpc.yaml, from here upwards)")
    .option("-s, --spec <name...>", "only these specs of the config, by folder name")
    .addOption(
      new Option("-o, --out <folder>", "where to, from the folder of the config").default("collections"),
    )
    .option("-a, --access <file>", "who calls, for the environment: the file that conform takes")
    .option("--operator", "take the operator and its address from the access file")
    .addHelpText("after", help)
    .action(async (format: string, options: CollectionOptions) => {
      const { collection } = await import("./collection.ts");
      exit(await collection(format, options, terminal()));
    });
}

const help = `
Examples:
  $ ledger-rpc collection postman
  $ ledger-rpc collection bruno --spec ledger --access .data/access.json
  $ bru run --env sandbox --sandbox=developer   # in the collection's folder

${exitCodesHelp("written", "there are errors in a spec or in the access file, or a file is in the way")}`;
