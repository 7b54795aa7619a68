import { InvalidArgumentError, type Command } from "commander";
import type { Terminal } from "../terminal.ts";
import type { MockCommandOptions } from "./mock.ts";

/** Adds `mock` to the command line. */
export function addMockCommand(
  program: Command,
  terminal: () => Terminal,
  exit: (code: number) => void,
): void {
  program
    .command("mock")
    .summary("serve a spec of standard JSON-RPC without handlers")
    .description(
      "Answers every call from the spec: its examples, and values made from its types where there are none. It checks what is sent, keeps nothing, and takes every caller.",
    )
    .option("-c, --config <file>", "config file (default: the nearest ledger-rpc.yaml, from here upwards)")
    .option("-s, --spec <name...>", "only this spec of the config, by folder name")
    .option("-p, --port <number>", "port on 127.0.0.1; 0 for any", integerTo(65_535), 3000)
    .option("-e, --error <method=NAME...>", "answer the calls of a method with an error of the spec")
    .option("--latency <ms>", "hold every answer back", integerTo(600_000), 0)
    .option("--drop <share>", "close the connection of this share of the requests, 0 to 1", share, 0)
    .option("--seed <number>", "of the random numbers that choose them", integerTo(2 ** 32 - 1), 1)
    .addHelpText("after", help)
    .action(async (options: MockCommandOptions) => {
      const { mock } = await import("./mock.ts");
      exit(await mock(options, terminal()));
    });
}

function integerTo(max: number) {
  return (value: string): number => {
    const given = Number(value);
    if (value.trim() === "" || !Number.isInteger(given) || given < 0 || given > max)
      throw new InvalidArgumentError(`It is a whole number from 0 to ${max}.`);
    return given;
  };
}

function share(value: string): number {
  const given = Number(value);
  if (value.trim() === "" || !(given >= 0 && given <= 1))
    throw new InvalidArgumentError("It is a number from 0 to 1, such as 0.05.");
  return given;
}

const help = `
Examples:
  $ ledger-rpc mock
  $ ledger-rpc mock --port 4000 --latency 200 --error finish=NO_TASK
  $ ledger-rpc mock --drop 0.1 --seed 7

It runs until it is stopped.`;
