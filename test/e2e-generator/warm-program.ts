/**
 * `ledger-rpc` in one process that runs one command after the other: loading the generator costs more than most
 * commands. It is told a folder and arguments, and answers what the command printed and its exit code.
 */
import { fork, type ChildProcess } from "node:child_process";
import { join } from "node:path";

export interface Command {
  readonly cwd: string;
  readonly args: readonly string[];
}

/** The end of a command. */
export interface Run {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

let started: ChildProcess | undefined;
let last: Promise<unknown> = Promise.resolve();

/** Runs a command after those that were asked for before it. */
export function runWarm(command: Command): Promise<Run> {
  const run = last.then(() => answerOf(program(), command));
  last = run.catch(() => undefined);
  return run;
}

function program(): ChildProcess {
  if (started?.connected === true) return started;
  const env = { ...process.env, FORCE_COLOR: undefined, NO_COLOR: "1" };
  started = fork(join(import.meta.dirname, "warm-program-process.ts"), { env, execArgv: [] });
  // It ends with the process that tests run in, and does not keep that one from ending.
  started.unref();
  started.channel?.unref();
  return started;
}

function answerOf(child: ChildProcess, command: Command): Promise<Run> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null): void => {
      reject(new Error(`the process that runs ledger-rpc ended with ${code}: ${command.args.join(" ")}`));
    };
    child.channel?.ref();
    child.once("exit", ended);
    child.once("message", (answer: Run) => {
      child.off("exit", ended);
      child.channel?.unref();
      resolve(answer);
    });
    child.send(command);
  });
}
