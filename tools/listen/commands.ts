import { InvalidArgumentError, Option, type Command } from "commander";
import { exitCodesHelp } from "../../generator/cli/exit-code.ts";
import type { ListenOptions } from "./listen.ts";
import type { TriggerOptions } from "./trigger.ts";
import type { Terminal } from "../../generator/cli/terminal.ts";

/** Adds `listen` and `trigger` to the command line. */
export function addEventsCommands(
  program: Command,
  terminal: () => Terminal,
  exit: (code: number) => void,
): void {
  program
    .command("listen")
    .summary("post the events of a mock or of a service to a receiver")
    .description(
      "Posts each event of a running mock or service to an address of yours, signed as the service signs it: also to one behind a firewall. What is not taken with 2xx is sent again, three times.",
    )
    .requiredOption("-f, --forward <url>", "where to, such as http://localhost:8000/hook", webAddress)
    .option("-e, --events <name...>", "only these events")
    .addOption(access())
    .addOption(from())
    .option("--subscription <id...>", "of a service: only these subscriptions of yours")
    .option(
      "--since <time>",
      "of a service: also what happened since then, such as 30m or 2026-03-02T17:00:00Z",
      time,
    )
    .addHelpText("after", listenHelp)
    .action(async (options: ListenOptions) => {
      const { listen } = await import("./listen.ts");
      exit(await listen(options, terminal()));
    });
  program
    .command("trigger")
    .summary("have a mock make an event, or a service send its test event")
    .description(
      "Has a running mock make an event, for those who listen; without a name, says which there are. With --access, has a service send its event Test, which announces nothing, to your subscriptions.",
    )
    .argument("[event]", "name of an event")
    .addOption(access())
    .option("--subscription <id...>", "of a service: only to these subscriptions of yours")
    .option("--set <field=value...>", "fields of its payload; a.b=… for one within")
    .option("--payload <file>", "fields of its payload, as JSON")
    .addOption(from())
    .addHelpText("after", triggerHelp)
    .action(async (name: string | undefined, options: TriggerOptions) => {
      const { trigger } = await import("./trigger.ts");
      exit(await trigger(name, options, terminal()));
    });
}

const from = (): Option =>
  new Option(
    "--from <url>",
    "address of the mock or of the service (default: the access file's baseUrl, or http://127.0.0.1:3000)",
  ).argParser(webAddress);
const access = (): Option =>
  new Option(
    "-a, --access <file>",
    "a service's, not a mock's: who calls it, in the file that conform takes",
  );

function webAddress(value: string): URL {
  const url = URL.parse(value);
  if (url === null || !["http:", "https:"].includes(url.protocol))
    throw new InvalidArgumentError("It is an address such as http://localhost:8000/hook.");
  return url;
}

const unitMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

function time(value: string): Date {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(value) ?? [];
  const agoMs = Number(count) * (Object.entries(unitMs).find(([name]) => name === unit)?.[1] ?? Number.NaN);
  const at = Number.isNaN(agoMs) ? new Date(value) : new Date(Date.now() - agoMs);
  if (Number.isNaN(at.getTime()) || at.getTime() < 0)
    throw new InvalidArgumentError("It is a span such as 30m, or a time such as 2026-03-02T17:00:00Z.");
  return at;
}

const listenHelp = `
Examples:
  $ ledger-rpc mock                     (in another terminal)
  $ ledger-rpc listen --forward http://localhost:8000/hook
  $ ledger-rpc listen --forward http://localhost:8000/hook --events Account.NEW
  $ ledger-rpc listen --forward http://localhost:8000/hook \\
      --access access.json --since 30m

A service has to have its partner interface on (partner.interface). It goes on
sending to the addresses of your subscriptions: listening changes nothing for
it. What is given up is there still: --since posts it again.

${exitCodesHelp(
  "stopped, as by Ctrl-C",
  "nothing answers, there is no such event, or the caller is refused",
)}`;

const triggerHelp = `
Examples:
  $ ledger-rpc trigger
  $ ledger-rpc trigger Transaction.NEW \\
      --set Status=COMPLETED InstructedAmount.Amount=12.5
  $ ledger-rpc trigger --access access.json

${exitCodesHelp("the event was made, or those that there are were listed", "it was not: the message says why")}`;
