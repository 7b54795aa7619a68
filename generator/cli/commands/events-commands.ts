import { InvalidArgumentError, Option, type Command } from "commander";
import type { ListenOptions } from "../listen/listen.ts";
import type { TriggerOptions } from "../listen/trigger.ts";
import type { Terminal } from "../terminal.ts";

/** Adds `listen` and `trigger` to the command line. */
export function addEventsCommands(
  program: Command,
  terminal: () => Terminal,
  exit: (code: number) => void,
): void {
  const from = (): Option =>
    new Option("--from <url>", "address of the mock")
      .argParser(webAddress)
      .default(new URL("http://127.0.0.1:3000"), "http://127.0.0.1:3000");
  program
    .command("listen")
    .summary("post the events of a mock to a receiver")
    .description(
      "Posts each event of a running mock to an address of yours, signed as the service signs it: also to one behind a firewall. What is not taken with 2xx is sent again, three times.",
    )
    .requiredOption("-f, --forward <url>", "where to, such as http://localhost:8000/hook", webAddress)
    .option("-e, --events <name...>", "only these events")
    .addOption(from())
    .addHelpText("after", listenHelp)
    .action(async (options: ListenOptions) => {
      const { listen } = await import("../listen/listen.ts");
      exit(await listen(options, terminal()));
    });
  program
    .command("trigger")
    .summary("have a mock make an event")
    .description(
      "Has a running mock make an event, for those who listen; without a name, says which there are.",
    )
    .argument("[event]", "name of an event")
    .option("--set <field=value...>", "fields of its payload; a.b=… for one within")
    .option("--payload <file>", "fields of its payload, as JSON")
    .addOption(from())
    .addHelpText("after", triggerHelp)
    .action(async (name: string | undefined, options: TriggerOptions) => {
      const { trigger } = await import("../listen/trigger.ts");
      exit(await trigger(name, options, terminal()));
    });
}

function webAddress(value: string): URL {
  const url = URL.parse(value);
  if (url === null || !["http:", "https:"].includes(url.protocol))
    throw new InvalidArgumentError("It is an address such as http://localhost:8000/hook.");
  return url;
}

const listenHelp = `
Examples:
  $ ledger-rpc mock                     (in another terminal)
  $ ledger-rpc listen --forward http://localhost:8000/hook
  $ ledger-rpc listen --forward http://localhost:8000/hook --events Transaction.NEW`;

const triggerHelp = `
Examples:
  $ ledger-rpc trigger
  $ ledger-rpc trigger Transaction.NEW --set Status=COMPLETED InstructedAmount.Amount=12.5`;
