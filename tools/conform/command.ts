import type { Command } from "commander";
import { conformHelp, withConformOptions, type ConformOptions } from "../../conformance/index.ts";
import { exitCode } from "../../generator/cli/exit-code.ts";
import { reportFailure } from "../../generator/cli/report-failure.ts";
import { nameOf, selectSpecs, severalSpecs } from "../../generator/cli/select.ts";
import type { Terminal } from "../../generator/cli/terminal.ts";
import { omitUndefined } from "../../conformance/base/omit-undefined.ts";

type Options = ConformOptions & { readonly config?: string; readonly spec?: string };

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
      exit(await run(options, terminal()));
    });
}

async function run(options: Options, terminal: Terminal): Promise<number> {
  const { config, spec } = options;
  const selection = selectSpecs(
    omitUndefined({ spec: spec === undefined ? undefined : [spec], config }),
    terminal.cwd,
    "read",
  );
  if (selection.kind === "refused")
    return reportFailure({ ...selection, exitCode: exitCode.usage }, terminal, false);
  const { targets } = selection;
  const target = targets.length === 1 ? targets[0] : targets.find((each) => nameOf(each.spec) === "ledger");
  if (target === undefined) {
    const message = severalSpecs(targets);
    return reportFailure({ message, diagnostics: [], exitCode: exitCode.usage }, terminal, false);
  }
  const { conformTo } = await import("./conform.ts");
  return await conformTo(selection.config, target, options, terminal);
}
