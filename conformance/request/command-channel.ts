import { createInterface } from "node:readline";
import { createInbox, type Channel } from "./channel.ts";
import { endCommand, startCommand } from "./shell-command.ts";

/** The standard input and output of a command, which the shell runs: a message is one line. */
export function openCommand(command: string): Channel {
  const inbox = createInbox();
  const child = startCommand(command);
  createInterface({ input: child.stdout }).on("line", (line) => inbox.push(line));
  child.stdin.on("error", () => inbox.fail("the command has closed its standard input"));
  child.on("error", (error) => inbox.fail(`${command} cannot be run: ${error.message}`));
  child.on("exit", (code, signal) => inbox.fail(`the command has ended with ${code ?? signal}`));
  return {
    isOpen: () => !inbox.isOver(),
    send: (message) => void child.stdin.write(`${message.toString()}\n`),
    answer: inbox.next,
    close() {
      child.stdin.end();
      if (!inbox.isOver()) endCommand(child);
    },
  };
}
