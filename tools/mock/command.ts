import { type Command, InvalidArgumentError, Option } from "commander";
import { exitCodesHelp } from "../../generator/cli/exit-code.ts";
import type { Terminal } from "../../generator/cli/terminal.ts";
import { latencyMsMax } from "./faults.ts";
import type { MockCommandOptions } from "./mock.ts";

/** Adds `mock` to the command line. */
export function addMockCommand(
  program: Command,
  terminal: () => Terminal,
  exit: (code: number) => void,
): void {
  program
    .command("mock")
    .summary("serve a spec without handlers")
    .description(
      "Answers every call from the spec: its examples, and values made from its types where there are none. It checks what is sent and who sends it, as the service would, and keeps nothing but identifiers.",
    )
    .option("-c, --config <file>", "config file (default: the nearest ledger-rpc.yaml, from here upwards)")
    .option("-s, --spec <name...>", "only this spec of the config, by folder name")
    .option("-p, --port <number>", "port on 127.0.0.1; 0 for any", integerTo(65_535), 3000)
    .option("-e, --error <method=NAME...>", "answer the calls of a method with an error of the spec")
    .option("-a, --access <file>", "who may call; made where there is none (default: in .cache/ledger-rpc)")
    .option("--open", "take every caller, and ask for no credentials")
    .option("--stdio", "answer on standard output what comes on standard input, a message a line")
    .addOption(
      new Option("--latency <ms>", "hold answers back: 200, or 50-400 for any time between")
        .argParser(latency)
        .default({ least: 0, most: 0 }, "0"),
    )
    .option(
      "--fault <kind=share...>",
      "what befalls a share of the requests: drop, cut, garbage, unavailable",
    )
    .option("--name <host...>", "host names that requests may be for, beside localhost; *: any")
    .option("--seed <number>", "of what is random", integerTo(2 ** 32 - 1), 1)
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

function latency(value: string): MockCommandOptions["latency"] {
  const [, least = "", most = least] = /^(\d{1,6})(?:-(\d{1,6}))?$/.exec(value) ?? [];
  const given = { least: Number(least), most: Number(most) };
  if (least === "" || given.least > given.most || given.most > latencyMsMax)
    throw new InvalidArgumentError(`It is milliseconds up to ${latencyMsMax}, such as 200, or 50-400.`);
  return given;
}

const help = `
Examples:
  $ ledger-rpc mock
  $ ledger-rpc mock --port 4000 --latency 200 --error finish=NO_TASK
  $ ledger-rpc mock --fault drop=0.1 unavailable=0.05 --seed 7
  $ curl -H 'Mock-Error: NO_TASK' -H 'Mock-Latency: 500' …

A request may ask for what it is to meet, by the headers Mock-Error: <NAME>,
Mock-Fault: <kind or none> and Mock-Latency: <ms>. It runs until it is stopped.

${exitCodesHelp("stopped, as by Ctrl-C", "there are errors in the spec, or the port cannot be had")}`;
