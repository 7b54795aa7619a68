import type { Command } from "commander";
import type { Terminal } from "../generator/cli/terminal.ts";
import { addCallCommand } from "./call/command.ts";
import { addCollectionCommand } from "./collection/command.ts";
import { addConformCommand } from "./conform/command.ts";
import { addImportCommand } from "./import/command.ts";
import { addEventsCommands } from "./listen/commands.ts";
import { addMockCommand } from "./mock/command.ts";
import { addPackCommand } from "./pack/command.ts";
import { addDocsCommand } from "./site/command.ts";

/** Adds the commands that use a model or a running service. Each loads what it runs only when it runs. */
export function addToolCommands(
  program: Command,
  terminal: () => Terminal,
  exit: (code: number) => void,
): void {
  addDocsCommand(program, terminal, exit);
  addImportCommand(program, terminal, exit);
  addCallCommand(program, terminal, exit);
  addMockCommand(program, terminal, exit);
  addEventsCommands(program, terminal, exit);
  addCollectionCommand(program, terminal, exit);
  addConformCommand(program, terminal, exit);
  addPackCommand(program, terminal, exit);
}
