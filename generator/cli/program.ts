import { addToolCommands } from "../../tools/commands.ts";
import { terminalText } from "../../conformance/base/terminal-text.ts";
import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { MissingPart } from "../protocols/folders.ts";
import { addDiffCommand } from "./commands/diff-command.ts";
import { addInitCommand } from "./commands/init-command.ts";
import { addUpgradeCommand } from "./commands/upgrade-command.ts";
import { exitCode, exitCodesHelp } from "./exit-code.ts";
import { UnreadableFile } from "../output/folder.ts";
import { generatorVersion } from "./generator-digest.ts";
import type { ExplainOptions } from "./commands/explain.ts";
import type { Selection, SpecOptions } from "./select.ts";
import { processSurroundings, terminalIn, type Surroundings, type Terminal } from "./terminal.ts";

/** Runs the command line; answers the process's exit code. */
export async function runProgram(
  args: readonly string[],
  surroundings: Surroundings = processSurroundings(),
): Promise<number> {
  let code: number = exitCode.ok;
  const program = createProgram(surroundings, (result) => {
    code = result;
  });
  try {
    await program.parseAsync([...args], { from: "user" });
  } catch (error) {
    if (error instanceof MissingPart) {
      surroundings.stderr.write(`error: ${error.message}\n`);
      return exitCode.usage;
    }
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? exitCode.ok : exitCode.usage;
  }
  return code;
}

function createProgram(surroundings: Surroundings, exit: (code: number) => void): Command {
  const { stdout, stderr } = surroundings;
  const program = new Command("ledger-rpc")
    .description(
      "Turns a YAML spec of a JSON-RPC interface into types, validators, handler stubs and a client.",
    )
    .version(generatorVersion(), "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .helpCommand("help [command]", "print the help of a command")
    .option("--color", "color the output (default: on a terminal, unless NO_COLOR is set)")
    .option("--no-color", "do not color the output")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => stdout.write(terminalText(text)),
      writeErr: (text) => stderr.write(terminalText(text)),
    })
    .addHelpText("after", `\n${programExitCodes}`)
    .showHelpAfterError("Run with --help to see what there is.");
  const terminal = (): Terminal => terminalIn(surroundings, program.opts<{ color?: boolean }>().color);

  addInitCommand(program, terminal, exit);
  addGenerateCommand(program, terminal, exit);
  addCheckCommand(program, terminal, exit);
  addDiffCommand(program, terminal, exit);
  addToolCommands(program, terminal, exit);
  addUpgradeCommand(program, terminal, exit);
  addExplainCommand(program, terminal, exit);
  for (const command of program.commands)
    command.showHelpAfterError(`Run ledger-rpc ${command.name()} --help to see examples.`);
  return program;
}

function addGenerateCommand(program: Command, terminal: () => Terminal, exit: (code: number) => void): void {
  withSpecOptions(program.command("generate"))
    .option("--prune", "move handler files whose method is gone to the folder _orphaned beside the handlers")
    .addOption(
      new Option("-w, --watch", "go on, and generate again whenever a spec is saved").conflicts("prune"),
    )
    .summary("write what differs from what the specs say")
    .description(
      "Writes what differs from what the specs say, and nothing else. Handler bodies are never touched. An error in a spec leaves the disk as it is.",
    )
    .addHelpText("after", generateHelp)
    .action(async (options: SpecOptions & { readonly prune?: true; readonly watch?: true }) => {
      exit(
        await onSpecs(options, terminal(), async (selected, asJson) => {
          if (options.watch === true) {
            const { watchSpecs } = await import("./watch/watch.ts");
            return await watchSpecs(options, selected, terminal());
          }
          const { generate } = await import("./commands/generate.ts");
          return await generate(selected, terminal(), { asJson, prune: options.prune === true });
        }),
      );
    });
}

function addCheckCommand(program: Command, terminal: () => Terminal, exit: (code: number) => void): void {
  withSpecOptions(program.command("check"))
    .summary("fail when generated files differ from what the specs say")
    .description(
      "Says what `generate` would change, as a diff, and fails when it would change anything. Writes nothing.",
    )
    .option("--diff-lines <count>", "lines of diff to show a file; 0 shows all", lineCount, 40)
    .addHelpText("after", checkHelp)
    .action(async (options: SpecOptions & { readonly diffLines: number }) => {
      exit(
        await onSpecs(options, terminal(), async (selected, asJson) => {
          const { check } = await import("./commands/check.ts");
          return await check(selected, terminal(), { asJson, diffLinesMax: options.diffLines });
        }),
      );
    });
}

function addExplainCommand(program: Command, terminal: () => Terminal, exit: (code: number) => void): void {
  program
    .command("explain")
    .summary("say what a diagnostic code or a change means, with an example")
    .description(
      "Says what a diagnostic code means, with a wrong and a right example, or what a change between two revisions means, with an example before and after. Without a code: lists all.",
    )
    .argument("[code]", "such as unknown-type or request-field-added-required")
    .option("--filter <text>", "list only codes whose name or rule has this text")
    .option("--json", "print JSON")
    .addHelpText("after", explainHelp)
    .action(async (code: string | undefined, options: ExplainOptions) => {
      const { explain } = await import("./commands/explain.ts");
      exit(explain(code, terminal(), options));
    });
}

type Selected = Extract<Selection, { kind: "selected" }>;

const programExitCodes = exitCodesHelp(
  "done; nothing to complain about",
  "not done, or something to complain about: each command's help says what",
  "a command, an option or a config that makes no sense",
);

const generateHelp = `
Examples:
  $ ledger-rpc generate
  $ ledger-rpc generate --spec ledger
  $ ledger-rpc generate --watch

${exitCodesHelp("everything is as the specs say", "there are errors in the specs or among the files")}`;

const checkHelp = `
Examples:
  $ ledger-rpc check
  $ ledger-rpc check --diff-lines 0

${exitCodesHelp("everything is as the specs say", "generated files differ from what the specs say, or there are errors in the\nspecs or among the files")}`;

const explainHelp = `
Examples:
  $ ledger-rpc explain unknown-type
  $ ledger-rpc explain --filter paging
  $ ledger-rpc explain`;

function withSpecOptions(command: Command): Command {
  return command
    .option("-c, --config <file>", "config file (default: the nearest ledger-rpc.yaml, from here upwards)")
    .option("-s, --spec <name...>", "only these specs of the config, by folder name")
    .option("--json", "print JSON, diagnostics included");
}

function lineCount(value: string): number {
  if (!/^\d{1,6}$/.test(value)) throw new InvalidArgumentError("It is a number of lines, such as 40.");
  return Number(value);
}

/** Runs a command over the specs that the options mean, or says why it cannot. */
async function onSpecs(
  options: SpecOptions,
  terminal: Terminal,
  run: (selected: Selected, asJson: boolean) => Promise<number>,
): Promise<number> {
  const { selectSpecs } = await import("./select.ts");
  const { reportFailure } = await import("./report-failure.ts");
  const asJson = options.json === true;
  try {
    const selection = selectSpecs(options, terminal.cwd);
    if (selection.kind === "selected") return await run(selection, asJson);
    const { message, diagnostics } = selection;
    return reportFailure({ message, diagnostics, exitCode: exitCode.usage }, terminal, asJson);
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    const { diagnosticOf } = await import("../language/diagnostics/index.ts");
    const diagnostics = [diagnosticOf("file-unreadable", { reason: error.message }, { path: error.path })];
    return reportFailure(
      { message: "nothing was written", diagnostics, exitCode: exitCode.failed },
      terminal,
      asJson,
    );
  }
}
