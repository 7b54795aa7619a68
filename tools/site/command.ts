import { Option, type Command } from "commander";
import { exitCodesHelp } from "../../generator/cli/exit-code.ts";
import type { DocsOptions } from "./docs.ts";
import type { Terminal } from "../../generator/cli/terminal.ts";

/** Adds `docs` to the command line. */
export function addDocsCommand(
  program: Command,
  terminal: () => Terminal,
  exit: (code: number) => void,
): void {
  program
    .command("docs")
    .summary("build the reference pages as a site")
    .description(
      "Writes the reference pages of each spec to a folder of their own, for any web server or a browser without one. Nothing else is generated, and no handlers are needed.",
    )
    .option("-c, --config <file>", "config file (default: the nearest ledger-rpc.yaml, from here upwards)")
    .option("-s, --spec <name...>", "only these specs of the config, by folder name")
    .addOption(new Option("-o, --out <folder>", "where to, from the folder of the config").default("site"))
    .option("-t, --try", "with a page that calls the service, for a service that serves the site itself")
    .option(
      "--versions",
      "in a folder of their revision, beside those of other revisions, with links between them",
    )
    .option("-w, --watch", "go on, and build again whenever a spec is saved")
    .addHelpText("after", help)
    .action(async (options: DocsOptions) => {
      const { docs } = await import("./docs.ts");
      exit(await docs(options, terminal()));
    });
}

const help = `
Examples:
  $ ledger-rpc docs
  $ ledger-rpc docs --spec tasks --out public/reference --watch
  $ ledger-rpc docs --try
  $ ledger-rpc docs --versions --out public

${exitCodesHelp("written", "there are errors in a spec, or a file is in the way")}`;
