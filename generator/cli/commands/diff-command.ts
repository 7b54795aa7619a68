import { InvalidArgumentError, Option, type Command } from "commander";
import { exitCodesHelp } from "../exit-code.ts";
import type { Terminal } from "../terminal.ts";
import { diffFormats, type DiffOptions } from "./diff-options.ts";

/** `ledger-rpc diff` on the command line. */
export function addDiffCommand(
  program: Command,
  terminal: () => Terminal,
  exit: (code: number) => void,
): void {
  program
    .command("diff")
    .summary("say what changed between two revisions, and what breaks whom")
    .description(
      "Compares what two revisions of a spec say, not their text: what changed, and what that means to callers of the service, to implementers of handlers and to receivers of events. Of two OpenRPC documents or JSON Schemas, it compares the specs that `ledger-rpc import` makes of them, in memory. See docs/diff.md.",
    )
    .argument(
      "<old>",
      "a spec folder; a git revision such as HEAD~3; both, HEAD~3:spec/ledger; or a document, old.json",
    )
    .argument("[new]", "the same (default: the specs as they are now)")
    .option("-c, --config <file>", "config file (default: the nearest ledger-rpc.yaml, from here upwards)")
    .option("-s, --spec <name...>", "only these specs of the config, by folder name")
    .addOption(new Option("--format <format>", "how to report").choices(diffFormats).default("terminal"))
    .option("--json", "the same as --format json")
    .addOption(
      new Option(
        "--fail-on <severity>",
        "exit with 1 where a change is at least this hard on anyone (default: breaking; none for documents)",
      ).choices(["breaking", "warning", "info", "none"] as const),
    )
    .option(
      "--exceptions <file>",
      "accepted changes, each with its reason (default: diff-exceptions.yaml beside the config)",
    )
    .option("--lossy", "of documents: leave out what the spec language cannot say, instead of stopping")
    .option("--no-docs", "leave out changes of texts, examples and references")
    .option("--output <file>", "write there instead of printing")
    .addOption(
      new Option("--changelog", "print the entry for the client's changelog instead").conflicts("migration"),
    )
    .option("--migration", "print a migration note with examples for each breaking change instead")
    .option(
      "--client-version <version>",
      "the client's published version (default: the old revision)",
      version,
    )
    .addHelpText("after", `\n${help}`)
    .action(async (old: string, recent: string | undefined, options: DiffOptions) => {
      const { diff } = await import("./diff.ts");
      exit(diff(old, recent, options, terminal()));
    });
}

const help = `Examples:
  $ ledger-rpc diff HEAD~3
  $ ledger-rpc diff v1.0.11 --spec ledger --format markdown
  $ ledger-rpc diff spec/ledger spec/next --fail-on warning
  $ ledger-rpc diff HEAD~3:spec/ledger spec/next --migration --output NEXT.md
  $ ledger-rpc diff old-openrpc.json new-openrpc.json

${exitCodesHelp(
  "no change is harder than --fail-on allows, or all that are are accepted",
  "a change is harder, an exception is stale, or there are errors in the specs",
)}`;

function version(value: string): string {
  if (!/^\d+\.\d+\.\d+$/.test(value)) throw new InvalidArgumentError("It is three numbers, such as 1.4.0.");
  return value;
}
