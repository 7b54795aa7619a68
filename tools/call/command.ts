import { InvalidArgumentError, type Command } from "commander";
import { credentialVariables } from "./credentials.ts";
import { exitCodesHelp } from "../../generator/cli/exit-code.ts";
import type { Terminal } from "../../generator/cli/terminal.ts";
import type { CallOptions } from "./call.ts";

/** Adds `call` to the command line. */
export function addCallCommand(
  program: Command,
  terminal: () => Terminal,
  exit: (code: number) => void,
): void {
  program
    .command("call")
    .summary("call a method of a running service")
    .description(
      "Sends one JSON-RPC 2.0 call, over HTTP, WebSocket or to the standard input of a command, and prints its result. An error of the service goes to the standard error, with exit code 1.",
    )
    .argument("<method>", "name of the method")
    .argument("[params]", "its parameters, a JSON array or object")
    .option(
      "-u, --url <url>",
      "address of the endpoint, http://… or ws://… (default: path of the spec on 127.0.0.1, port $PORT or 3000)",
    )
    .option("--command <command>", "in place of an address: what answers on its standard output, a line each")
    .option("-c, --config <file>", "config file (default: the nearest ledger-rpc.yaml, from here upwards)")
    .option("-s, --spec <name...>", "only these specs of the config, by folder name")
    .option(
      "-a, --access <file>",
      "who calls, and signs where the spec asks for it: the file that conform takes",
    )
    .option("-n, --notify", "send a notification: there is no answer")
    .option("--allow-unknown", "send members that the spec does not know: they are refused otherwise")
    .option("-t, --timeout <seconds>", "how long to wait for the answer", seconds, 30)
    .addHelpText("after", help)
    .action(async (method: string, params: string | undefined, options: CallOptions) => {
      const { call } = await import("./call.ts");
      exit(await call(method, params, options, terminal()));
    });
}

function seconds(value: string): number {
  const given = Number(value);
  if (!(given > 0 && given <= 86_400))
    throw new InvalidArgumentError("It is a number of seconds, such as 30.");
  return given;
}

const help = `
Examples:
  $ ledger-rpc call list
  $ ledger-rpc call list '[null]'
  $ ledger-rpc call add '{"title": "Milk"}' --url https://tasks.example/rpc
  $ ledger-rpc call list '[null]' --url ws://127.0.0.1:3000/rpc
  $ ledger-rpc call list '[null]' --command 'node src/stdio.ts'
  $ LEDGER_RPC_TOKEN=… ledger-rpc call add '["Milk"]'
  $ ledger-rpc call AccountService.GetAccount '{"ID": "…"}' --access bank.json

Credentials are in the access file, or in variables of the environment:
${Object.entries(credentialVariables)
  .map(([name, meaning]) => `  ${name.padEnd(18)}  ${meaning}`)
  .join("\n")}

${exitCodesHelp(
  "the service answered with a result, or took the notification",
  "it answered with an error, or not at all",
  "an argument, an option or a variable that makes no sense",
)}`;
