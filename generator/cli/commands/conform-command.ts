import type { Command } from "commander";
import { conformHelp, withConformOptions, type ConformOptions } from "../../../conformance/index.ts";
import { exitCode } from "../exit-code.ts";
import { selectSpecs } from "../select.ts";
import type { Terminal } from "../terminal.ts";
import { omitUndefined } from "../../source/omit-undefined.ts";

type Options = ConformOptions & { readonly config?: string; readonly spec: string };

/** Adds `conform` to the command line. */
export function addConformCommand(
  program: Command,
  terminal: () => Terminal,
  exit: (code: number) => void,
): void {
  withConformOptions(program.command("conform"))
    .summary("try a running service with every case of the interface")
    .option("-c, --config <file>", "config file (default: the nearest ledger-rpc.yaml, from here upwards)")
    .option("-s, --spec <name>", "the spec of the config whose interface it is", "ledger")
    .addHelpText("after", conformHelp("ledger-rpc conform"))
    .action(async (options: Options) => {
      exit(await run(options, terminal()));
    });
}

async function run(options: Options, terminal: Terminal): Promise<number> {
  const { config, spec } = options;
  const selection = selectSpecs(omitUndefined({ spec: [spec], config }));
  const [target] = selection.kind === "selected" ? selection.targets : [];
  if (selection.kind !== "selected" || target === undefined) {
    terminal.note(
      `error: ${selection.kind === "selected" ? `the config has no spec ${spec}` : selection.message}`,
    );
    return exitCode.usage;
  }
  const { conformTo } = await import("./conform.ts");
  return await conformTo(selection.config, target, options, terminal);
}
