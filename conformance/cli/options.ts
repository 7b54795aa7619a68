import { type Command, InvalidArgumentError, Option } from "commander";
import { didYouMean } from "../base/closest.ts";
import type { LoadedSuite } from "../cases/all-cases.ts";
import { ruleNames } from "../exploration/rules.ts";
import { levels } from "../suite/level.ts";

/** Adds the options of the command line that all commands share. */
export function withConformOptions(command: Command): Command {
  return command
    .description(
      "Tries any implementation of the interface, and says operation by operation what holds and what does not: each failure with the section or decision it is against, the request, what came back and what should have.",
    )
    .option(
      "-a, --access <file>",
      "who calls, and what the service holds; may be left out where a standard interface asks for no credentials",
    )
    .option(
      "-b, --base-url <url>",
      "where the service is, http://… or for a standard interface ws://… (default: baseUrl of the access file)",
    )
    .option("--command <command>", "in place of an address: what answers on its standard output, a line each")
    .addOption(
      new Option("-l, --level <level>", "what counts: only what the document states, or more")
        .choices(levels)
        .default("decisions"),
    )
    .option("-o, --operation <name...>", "only cases of these operations, or whose id begins so")
    .option("--seed <number>", "order and random values of an earlier run", wholeNumber)
    .option("--explore <count>", "random sequences of calls to try; 0 for none", wholeNumber, 10)
    .option("--replay <sequence>", "only the random sequence that an earlier run has shown so")
    .option("--failures <count>", "failures to show with their requests", wholeNumber, 20)
    .option("--timeout <ms>", "milliseconds to wait for an answer", wholeNumber, 10_000)
    .option("--event-timeout <ms>", "milliseconds to wait for an event or a mail", wholeNumber, 5_000)
    .option("--concurrency <count>", "requests at once", wholeNumber, 16)
    .addOption(
      new Option("--errors <status>", "HTTP status of errors: 200, or that of each code (D-02)")
        .choices(["ok", "mapped"] as const)
        .default("ok"),
    )
    .option(
      "--operator-url <url>",
      "where the operator's interface is (default: operatorUrl of the access file)",
    )
    .option("--mail <folder>", "where the service writes mails (default: mail beside the access file)")
    .option("--callback-url <url>", "where the service can reach this machine with events")
    .option("--callback-port <port>", "port to receive events on; 0 takes a free one", wholeNumber, 0)
    .option("--issuer-port <port>", "port to publish the keys on with which tokens are issued", wholeNumber)
    .option("--capabilities <file>", "what the service does not have: such cases are skipped")
    .option("--json", "print JSON")
    .option("--junit <file>", "write JUnit XML")
    .option("--html <file>", "write one page with everything")
    .option("--badge <file>", "write a badge, SVG")
    .option("--baseline <file>", "cases known to fail: only others count, and those that pass now")
    .option("--update-baseline", "write the baseline instead of holding the run against it")
    .option("--trace", "print what goes over the wire, one request at a time")
    .option("--bail <count>", "stop after so many failures", wholeNumber);
}

/** The end of the help, with examples of a command. */
export function conformHelp(command: string): string {
  return `
Examples:
  $ ${command} --access .data/access.json
  $ ${command} --base-url https://ledger.example \\
      --access bank.json --level document
  $ ${command} --access .data/access.json \\
      --operation AccountService.GetAccount

Exit codes:
  0  the service conforms: everything holds that was tried, and a case counts
     for each operation
  1  it does not
  2  no verdict, since nothing was tried or the run was interrupted: the
     message says why`;
}

function wholeNumber(value: string): number {
  if (!/^\d{1,10}$/.test(value)) throw new InvalidArgumentError("It is a whole number.");
  return Number(value);
}

/** Sees whether each thing that was asked for is there. @throws Error with the name that was probably meant */
export function checkSelection(only: readonly string[] | undefined, { suite, cases }: LoadedSuite): void {
  const operations = suite.methods.map(({ name }) => name);
  const names = [
    ...operations,
    ...suite.scenarios.map(({ name }) => `scenario/${name}`),
    ...ruleNames.map((name) => `exploration/${name}`),
  ];
  for (const asked of only ?? []) {
    const isThere = (name: string): boolean => name.startsWith(asked);
    if (names.some(isThere) || cases.some(({ id }) => isThere(id))) continue;
    const inOperation = operations.find((name) => asked.startsWith(`${name}/`));
    const candidates =
      inOperation === undefined
        ? names
        : cases.filter(({ method }) => method === inOperation).map(({ id }) => id);
    throw new Error(
      `--operation ${asked}: no operation and no case begins so${didYouMean(asked, candidates)}`,
    );
  }
}
