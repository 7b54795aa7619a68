import { text as textOf } from "node:stream/consumers";
import { type Command, Help } from "commander";
import {
  CallError,
  OperatorError,
  type OperatorMethods,
  type ServiceErrorFacts,
} from "../../../generated/operator/client/index.ts";
import { operatorInterface } from "../../../generated/operator/methods.ts";
import { omitUndefined } from "../../../runtime/contract/index.ts";
import { missingFields, unknownFields } from "../../../runtime/protocol/signed-envelope/index.ts";
import {
  exampleAfterError,
  withExamples,
  UsageError,
  confirmed,
} from "../../../runtime/operations/cli/index.ts";
import { accessHelp, operatorClient, readText, type AccessOptions } from "./access.ts";
import { commands, type OperatorCommand } from "./commands.ts";
import { exampleOf } from "./example.ts";
import { fieldsOf, flagText, optionOf, withValue, type Field } from "./fields.ts";
import { describedInterface } from "./interface.ts";
import { isObject, requestIn } from "./request-text.ts";
import { resultText, valueText } from "./output.ts";
import { explainDelivery, explanationText } from "./why.ts";

interface CommandOptions extends AccessOptions {
  readonly json?: boolean;
  readonly print?: string;
  readonly input?: string;
  readonly yes?: boolean;
  readonly all?: boolean;
  readonly propose?: boolean;
  readonly note?: string;
}

const pagesMax = 10_000;

/** Adds the commands of one resource. Their flags are read from the interface's document. */
export function addVerbs(group: Command, resource: string): void {
  const described = describedInterface();
  group.configureHelp({ formatItem });
  for (const row of commands.filter((command) => command.resource === resource)) {
    const { description, payload, example } = described.method(row.method);
    const fields = fieldsOf(payload, described.resolve);
    const words = `ledger-server ${resource} ${row.verb}`;
    const shownExample = exampleOf(
      { words, argument: row.argument, fields },
      example,
      (request) => missingIn(row, request).length === 0,
    );
    const command = withExamples(group.command(row.verb).description(description), words, shownExample);
    if (row.argument !== undefined) command.argument(`[${row.argument}]`);
    for (const field of fields) {
      if (field.path.join(".") !== row.argument) command.addOption(optionOf(field));
    }
    command.option("--input <file>", "take the request from this YAML or JSON file, - for standard input");
    if (row.confirm !== undefined) command.option("--yes", "do not ask");
    if (canNeedApproval(row))
      command
        .option("--propose", "propose it: another operator approves it by proposals approve")
        .option("--note <text>", "with --propose: why, for those who decide");
    if (fields.some(({ flag }) => flag === "after")) command.option("--all", "show all pages");
    addCommonOptions(command).action(async (...values: readonly unknown[]) => {
      const argument = row.argument === undefined ? undefined : textIn(values[0]);
      const options: CommandOptions = command.opts();
      await reported(async () => {
        const request = await requestOf(row, fields, argument, options);
        refuseUnknown(row, request);
        const missing = missingIn(row, request).flatMap((path) => flagsOf(path, row, fields));
        if (missing.length > 0) {
          const needed = missing.length === 1 ? ` ${missing.join("")}` : `:\n  ${missing.join("\n  ")}`;
          throw new UsageError(`${words} needs${needed}\n${exampleAfterError(words, shownExample)}`);
        }
        await runCommand(row, request, argument, options);
      });
    });
  }
  if (resource === "deliveries") addWhy(group);
}

function addWhy(group: Command): void {
  const words = "ledger-server deliveries why";
  const command = group
    .command("why")
    .description("Says why a webhook did not arrive, and what to do.")
    .argument("<deliveryId>");
  withExamples(command, words, `${words} 01KAFZK5D7F9H1M3P5R7T9V1X3`);
  addCommonOptions(command).action(async (deliveryId: string, options: CommandOptions) => {
    await reported(async () => {
      const explanation = await explainDelivery(await operatorClient(options, process.env), deliveryId);
      console.log(shown(explanation, options, () => explanationText(explanation)));
    });
  });
}

function addCommonOptions(command: Command): Command {
  return command
    .option("--json", "print the result as JSON")
    .option(
      "--print <name>",
      "print this value of the result alone, by its name in --json: customerId, accounts.0.accountNumber",
    )
    .option("--access <file>", "who calls, and where the interface is")
    .option("--url <url>", "where the interface is")
    .addHelpText("after", accessHelp);
}

async function runCommand(
  row: OperatorCommand,
  request: object,
  argument: string | undefined,
  options: CommandOptions,
): Promise<void> {
  if (row.confirm !== undefined && options.yes !== true) {
    if (!(await confirmed(row.confirm, argument ?? row.verb))) {
      throw new UsageError("That is something else: nothing was done.");
    }
  }
  const client = await operatorClient(options, process.env);
  if (options.propose === true) {
    const { note } = options;
    const proposal = { operation: row.method, payload: JSON.stringify(request), ...omitUndefined({ note }) };
    const result = await client.call("ProposeChange", proposal);
    console.log(shown(result, options, () => resultText(result, undefined, terminalWidth())));
    return;
  }
  let after: unknown;
  for (let page = 0; page < pagesMax; page += 1) {
    // The service checks the request; its answer names the field at fault.
    const payload: OperatorMethods[typeof row.method]["payload"] = JSON.parse(
      JSON.stringify(after === undefined ? request : { ...request, after }),
    );
    const result = await client.call(row.method, payload);
    console.log(shown(result, options, () => resultText(result, row.columns, terminalWidth())));
    after = "next" in result ? result.next : undefined;
    if (after === undefined) return;
    if (options.all !== true) {
      console.error(`There is more: --after ${String(after)}, or --all`);
      return;
    }
  }
}

/** Whether the settings may want a second operator for it. */
function canNeedApproval({ method }: OperatorCommand): boolean {
  return Object.hasOwn(operatorInterface.methods[method]?.errors ?? {}, "APPROVAL_NEEDED");
}

/** A result as the options ask for it: one value of it, JSON, or the text for people. */
function shown(result: object, { print, json }: CommandOptions, text: () => string): string {
  if (print !== undefined) return valueText(result, print);
  return json === true ? JSON.stringify(result, undefined, 2) : text();
}

/** Undefined where the output goes elsewhere, such as into a pipe: nothing is cut there. */
function terminalWidth(): number | undefined {
  // A terminal that does not say its width says 0.
  return process.stdout.isTTY && process.stdout.columns > 0 ? process.stdout.columns : undefined;
}

/** The request from `--input`, then the argument, then the flags: later ones win. */
async function requestOf(
  row: OperatorCommand,
  fields: readonly Field[],
  argument: string | undefined,
  options: CommandOptions,
): Promise<object> {
  let request = options.input === undefined ? {} : await readInput(options.input);
  if (row.argument !== undefined && argument !== undefined)
    request = withValue(request, [row.argument], argument);
  const given = new Map<string, unknown>(Object.entries(options));
  for (const { path, flag } of fields) {
    const value = given.get(attributeOf(flag));
    if (value !== undefined) request = withValue(request, path, value);
  }
  return request;
}

/** The fields that a request needs and lacks: all at once, before anything is connected. */
function missingIn({ method }: OperatorCommand, request: object): readonly (readonly string[])[] {
  const described = operatorInterface.methods[method];
  return described === undefined ? [] : missingFields(described, JSON.parse(JSON.stringify(request)));
}

/** Refuses what the interface does not know: it would be dropped without a word. @throws UsageError */
function refuseUnknown({ method }: OperatorCommand, request: object): void {
  const described = operatorInterface.methods[method];
  if (described === undefined) return;
  const unknown = unknownFields(described, JSON.parse(JSON.stringify(request)));
  if (unknown.length === 0) return;
  const lines = unknown.map(
    ({ path, known }) => `${path.join(".")} is no field of ${method}: ${hintFor(path.at(-1) ?? "", known)}`,
  );
  throw new UsageError(lines.join("\n"));
}

/** A field as the command line gives it, its parts if it is an object. A part of a list has no flag. */
function flagsOf(path: readonly string[], row: OperatorCommand, fields: readonly Field[]): readonly string[] {
  if (path.join(".") === row.argument) return [`<${row.argument}>`];
  const parts = fields.filter((field) => path.every((name, depth) => field.path[depth] === name));
  const needed = parts.filter(({ isRequired }) => isRequired);
  const shown = needed.length > 0 ? needed : parts;
  return shown.length > 0 ? shown.map(flagText) : [path.join(".")];
}

async function readInput(file: string): Promise<object> {
  const content = requestIn(file === "-" ? await textOf(process.stdin) : readText(file), file);
  if (!isObject(content) || Array.isArray(content)) {
    throw new UsageError(`${file} has to hold one object: the fields of the request.`);
  }
  return content;
}

/** The name under which commander keeps a flag's value. */
function attributeOf(flag: string): string {
  return flag.replaceAll(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

function textIn(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** Beside the message of the code: where a text is wrong and how, the word that narrows the code, and when to try again. */
function detailOf({ data, reason, retryAfter }: ServiceErrorFacts): string {
  const { message, column } = data;
  const at = typeof column === "number" ? ` at column ${column}` : "";
  const said = typeof message === "string" ? `: ${message}` : "";
  const narrowed = reason === undefined ? "" : ` (${reason})`;
  return `${at}${said}${narrowed}${typeof retryAfter !== "string" ? "" : `; try again: ${retryText(retryAfter)}`}`;
}

/** `Retry-After` is seconds or a date. */
function retryText(retryAfter: string): string {
  return /^\d+$/.test(retryAfter) ? `in ${retryAfter} s` : retryAfter;
}

/** Exit code 1: the service refused or did not answer; 2: nothing was called. */
async function reported(run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    process.exitCode = error instanceof UsageError || error instanceof TypeError ? 2 : 1;
    console.error(error instanceof Error ? messageOf(error) : String(error));
  }
}

function messageOf(error: Error): string {
  if (error instanceof OperatorError) {
    const field = error.field === undefined ? "" : ` at ${error.field}`;
    const request = error.requestId === undefined ? "" : ` (the service logged it as ${error.requestId})`;
    const advice = error.code === "APPROVAL_NEEDED" ? ". Run the same command with --propose." : "";
    return `${error.code}${field}: ${error.message}${detailOf(error)}${request}${advice}`;
  }
  if (error instanceof CallError) return `${error.message}. Is the service running?`;
  return error.message;
}

/** Beside wider flags, 80 columns leave too few for a text. */
const besideMax = 36;

/**
 * An entry of a command's help: text beside its flag, or below a long flag. Every line fits a terminal.
 */
function formatItem(term: string, termWidth: number, description: string, helper: Help): string {
  if (termWidth <= besideMax) {
    return Help.prototype.formatItem.call(helper, term, termWidth, description, helper);
  }
  const text = helper.boxWrap(description, (helper.helpWidth ?? 80) - 6);
  return [`  ${term}`, ...text.split("\n").map((line) => `      ${line}`)].join("\n");
}

/** The hint for a misspelt name: what it most likely means, or all that there is. */
function hintFor(name: string, known: readonly string[]): string {
  const limit = Math.min(3, Math.max(1, Math.floor(name.length / 3)));
  const [best] = known
    .map((candidate) => ({
      candidate,
      mistakes: mistakesBetween(name.toLowerCase(), candidate.toLowerCase()),
    }))
    .filter(({ mistakes }) => mistakes <= limit)
    .toSorted((a, b) => a.mistakes - b.mistakes);
  return best === undefined ? `there is ${known.join(", ") || "none"}` : `did you mean ${best.candidate}?`;
}

/** Letters to insert, remove or replace. */
function mistakesBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (const [index, letter] of [...a].entries()) {
    const next = [index + 1];
    for (let at = 1; at <= b.length; at += 1) {
      const replaced = (row[at - 1] ?? 0) + (b[at - 1] === letter ? 0 : 1);
      next.push(Math.min(replaced, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? a.length;
}
