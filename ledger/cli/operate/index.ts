import type { Command } from "commander";
import { resources } from "./commands.ts";

/**
 * Adds the commands of the operator interface. Their modules are loaded only for the called resource and for
 * completion, so the service starts without them.
 */
export async function addOperatorCommands(program: Command, argv: readonly string[]): Promise<void> {
  const isCompleting = argv[2] === "complete";
  for (const [resource, summary] of Object.entries(resources)) {
    const group = program
      .command(resource)
      .description(summary)
      .showHelpAfterError(`(ledger-server ${resource} --help shows what there is)`);
    if (!isCompleting && !argv.includes(resource)) continue;
    const { addVerbs } = await import("./program.ts");
    addVerbs(group, resource);
  }
}
