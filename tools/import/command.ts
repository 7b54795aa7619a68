import { Option, type Command } from "commander";
import { exitCodesHelp } from "../../generator/cli/exit-code.ts";
import type { Terminal } from "../../generator/cli/terminal.ts";

/** `ledger-rpc import`. */
export function addImportCommand(
  program: Command,
  terminal: () => Terminal,
  exit: (code: number) => void,
): void {
  program
    .command("import")
    .summary("make a spec from an OpenRPC document or a JSON Schema")
    .description(
      "Makes a spec from an OpenRPC document (1.2 to 1.4) or a JSON Schema (draft-04 to 2020-12), and says of every method and type whether it was taken exactly, by an assumption, weakened or refused, and why. Reads files alone, never the network. Inside a project it adds the spec to ledger-rpc.yaml.",
    )
    .argument("<file>", "the document, as JSON or YAML")
    .addOption(
      new Option("--params <style>", "how callers write parameters where a method says nothing else")
        .choices(["by-name", "by-position", "either"])
        .default("either"),
    )
    .option("--ref <prefix=folder...>", "where documents that `$ref` names by this prefix are")
    .option("--lossy", "drop what the spec language cannot say, keep it as x-dropped, and take the rest")
    .option("--name <name>", "name of the interface (default: of the empty project, or of the file)")
    .option(
      "--out <folder>",
      "folder of the spec (default: of the empty project, or spec/<name>); it is new or empty",
    )
    .option("-c, --config <file>", "config file (default: the nearest ledger-rpc.yaml, from here upwards)")
    .option("--json", "print the report as JSON")
    .addHelpText(
      "after",
      `
Examples:
  $ ledger-rpc import openrpc.json --params by-position
  $ ledger-rpc import api/ws.json --ref ./api/=api --lossy --out spec/ws

${exitCodesHelp(
  "everything was taken",
  "something was refused, which the report names; what was taken is written.\nOr the document cannot be imported",
)}`,
    )
    .action(async (file: string, options: object) => {
      const { runImport } = await import("./import.ts");
      exit(runImport(file, options, terminal()));
    });
}
