import { Command } from "commander";
import { messageOf } from "../../contract/index.ts";
import { withoutUrlSecrets } from "../../platform/url-secrets.ts";
import { ConfigError, inItsWords, serviceNames, type ServiceNames } from "../config/index.ts";
import { realmsOf, type Application } from "../../server/index.ts";
import { backUp, restore } from "./backup.ts";
import { demoUser } from "./demo-user.ts";
import { tailEvents, topicWords } from "./events-tail.ts";
import type { MoveCommandOptions } from "./move.ts";
import { rotateSealKey } from "./rotate-seal-key.ts";
import { migrate, type Program, seed, serve, start } from "./service.ts";
import { addServiceKeys, addUserManagement } from "./users.ts";
import { withExamples } from "./with-examples.ts";
import { printSettings } from "./settings.ts";
import { printStatus } from "./status.ts";
import { printRoot, verify } from "./verify.ts";
import { UsageError } from "./startup-error.ts";

export type { DemoData, Program } from "./service.ts";

const environmentHelp = `
Settings come from the environment and from ledger-server.yaml (or the file that
LEDGER_CONFIG names); the environment wins. \`ledger-server settings\` lists them.
Exit codes: 0 done, 1 failed, 2 wrong usage or settings.`;

/** Examples at the end of a command's help; a mistake in its use shows the first one. A list has the parts of one line. */
const examples: Readonly<Record<string, readonly (string | readonly string[])[]>> = {
  migrate: ["ledger-server migrate --plan", "ledger-server migrate"],
  settings: ["ledger-server settings", "ledger-server settings --json"],
  status: ["ledger-server status", "ledger-server status --json"],
  verify: [
    "ledger-server verify",
    "ledger-server verify --root $(cat root.txt)",
    "ledger-server verify --file backups/monday.sqlite",
  ],
  root: ["ledger-server root > root.txt"],
  backup: ["ledger-server backup backups/", "ledger-server backup backups/monday.sqlite --force"],
  restore: [
    "ledger-server restore backups/monday.sqlite",
    "ledger-server restore backups/monday.sqlite --seal-key monday.seal.key",
  ],
  "rotate-seal-key": [
    "ledger-server rotate-seal-key",
    "ledger-server rotate-seal-key --new-key-file new-seal.key",
  ],
  move: ["ledger-server move --from data --to postgres://ledger@db.example/ledger"],
};

/** The command line of an application: `serve`, `migrate`, `users`, `backup`, `verify` and others. */
export function run(application: Application, argv: readonly string[] = process.argv): Promise<void> {
  const { name } = application;
  const realms = realmsOf(application);
  const managed = { command: "users", noun: "user", realms, institution: { id: name, name } };
  const description = `The service of ${name}: JSON-RPC over HTTP, on SQLite or PostgreSQL.`;
  return runProgram({ application, description, demo: demoUser(application), managed }, argv);
}

/** The same with what an application adds. */
export async function runProgram(served: Program, argv: readonly string[]): Promise<void> {
  const { application } = served;
  const names = serviceNames(application);
  speakAs(names);
  const program = new Command(names.program)
    .description(served.description)
    .version(application.version, "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .helpCommand("help [command]", "print the help of a command")
    .addHelpText("after", environmentHelp)
    .showHelpAfterError("(ledger-server --help shows what there is)")
    .configureOutput({
      writeOut: (text) => process.stdout.write(inItsWords(text, names)),
      writeErr: (text) => process.stderr.write(inItsWords(text, names)),
    })
    .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2));
  program.commandsGroup("The service:");
  addServing(program, served);
  addLooking(program, served);
  program.commandsGroup("The books:");
  addKeeping(program, application);
  addMoving(program, application);
  addExamples(program);
  await served.addCalls?.(program, argv);
  program.commandsGroup("Commands:");
  await addCompletion(program, argv);
  try {
    await program.parseAsync(argv);
  } catch (error) {
    fail(error);
  }
}

/** What a command prints calls the service what the application does. */
function speakAs(names: ServiceNames): void {
  if (names.program === "ledger-server") return;
  const inWords = (part: unknown) => (typeof part === "string" ? inItsWords(part, names) : part);
  for (const name of ["log", "error"] as const) {
    const print = console[name];
    console[name] = (...parts: readonly unknown[]) => print(...parts.map(inWords));
  }
}

function addExamples(program: Command): void {
  for (const command of program.commands) {
    const name = command.name();
    withExamples(command, `ledger-server ${name}`, ...(examples[name] ?? []));
  }
}

/** Serving, and what has to be there for it. */
function addServing(program: Command, served: Program): void {
  program
    .command("start")
    .description("migrate, seed demo data once (sandbox), serve, and print what to try next")
    .action(() => start(served));
  program
    .command("serve")
    .description("serve; refuses a database with pending migrations")
    .action(() => serve(served));
  program
    .command("migrate")
    .description("create the database or bring it up to date")
    .option("--plan", "print the SQL of the migrations that the database lacks, and change nothing")
    .action((options) => migrate(served.application, options));
  program
    .command("seed")
    .description("add the demo data, once (sandbox)")
    .option("--revoke", "revoke the users of the demo data instead, in a database that was a sandbox's")
    .action((options) => seed(served, options));
}

/** The books: verified, copied, put back, sealed. */
function addKeeping(program: Command, application: Application): void {
  program
    .command("verify")
    .description("say whatever of the books is wrong; exit 0: sound, 1: not sound, 2: could not be verified")
    .option("--json", "print the outcome as JSON")
    .option("--file <file>", "verify this database instead of the data folder's, such as a backup")
    .option("--root <root...>", "roots that were kept elsewhere: the first entries still give them")
    .option("--roots-file <file>", "file that holds such roots, such as the service's log")
    .action((options) => verify(application, options));
  program
    .command("root")
    .description("print the root over all audit entries, to be kept elsewhere and compared: verify --root")
    .action(() => printRoot(application));
  program
    .command("backup")
    .description("copy the database while the service runs, and verify the copy; the seal key is not in it")
    .argument("<target>", "file, or a folder for a file named by the time")
    .option("--force", "replace the file if there is one")
    .option("--with-seal-key", "put the seal key beside it, as <target>.seal.key: keep the two apart")
    .option("--json", "print the outcome as JSON")
    .action((target, options) => backUp(application, target, options));
  program
    .command("restore")
    .description(
      "put a backup in the place of the database, while the service is stopped; keeps what was there",
    )
    .argument("<backup>", "file that backup made")
    .option("--seal-key <file>", "file of the key that the backup needs, where it is not the present one")
    .option("--json", "print the outcome as JSON")
    .action((backup, options) => restore(application, backup, options));
  program
    .command("rotate-seal-key")
    .description(
      "seal every secret with a new key, while the service is stopped; run it again if it was interrupted",
    )
    .option(
      "--new-key-file <file>",
      "where the new key is, or is made; needed where LEDGER_SEAL_KEY is given",
    )
    .option("--json", "print the outcome as JSON")
    .action((options) => rotateSealKey(application, options));
}

function addMoving(program: Command, application: Application): void {
  program
    .command("move")
    .description(
      "move a data folder's SQLite database to PostgreSQL, while the service is stopped; run it again if it was interrupted",
    )
    .requiredOption("--from <folder>", "data folder, or its database file; it is not changed")
    .option(
      "--to <url>",
      "empty PostgreSQL database; without: LEDGER_DATABASE_URL, which other users do not see",
    )
    .option("--json", "print the outcome as JSON")
    .action(async (options: MoveCommandOptions) => (await import("./move.ts")).move(application, options));
}

/** Adds the commands that show settings and events under way, and those by which the application is managed. */
function addLooking(program: Command, { application, managed }: Program): void {
  program
    .command("settings")
    .description("list every setting: its value in force, where that comes from, and its meaning; no secrets")
    .option("--changed", "only those that the environment or the file sets")
    .option("--json", "print JSON")
    .action((options) => printSettings(application, options));
  program
    .command("status")
    .description("show how many events, deliveries and mails wait or were given up, and since when")
    .option("--json", "print JSON")
    .action((options) => printStatus(application, options));
  if (managed.realms.length > 0) addUserManagement(program, { application, managed });
  addServiceKeys(program, { application, managed });
  const tail = program
    .command("events")
    .description("follow events on their way to subscribers: events tail")
    .command("tail");
  withExamples(
    tail,
    "ledger-server events tail",
    "ledger-server events tail --since 2h --failed",
    "ledger-server events tail --filter state=DEAD failure=timeout --json",
  );
  tail
    .description("follow deliveries live, beside the running service; ends with Ctrl-C")
    .option("--json", "print one JSON object a line")
    .option("--failed", "show failed attempts only")
    .option("--since <time>", "begin with what happened since: 15m, 24h, 7d or 2026-03-02T11:00:00Z")
    .option(
      "--filter <name=value...>",
      `event, ${(application.topics ?? topicWords).one}, subscription, institution, state or failure: failure=status*`,
    )
    .option("--interval-ms <ms>", "how often to look", "500")
    .action((options) => tailEvents(application, options));
}

/** The script calls a function of the package `bash-completion`, which many machines lack: macOS, servers, containers. */
const bashWithoutCompletionPackage = `declare -F _get_comp_words_by_ref >/dev/null || _get_comp_words_by_ref() {
  words=("\${COMP_WORDS[@]}") cword=$COMP_CWORD
  cur=\${words[cword]} prev=\${words[cword - 1]}
}`;

/** The library that answers what a shell asks is loaded only then. */
async function addCompletion(program: Command, argv: readonly string[]): Promise<void> {
  if (argv[2] !== "complete") {
    program
      .command("complete")
      .description("print what completes this command in bash, zsh, fish or powershell: complete bash")
      .argument("<shell>");
    return;
  }
  const { default: tab } = await import("@bomb.sh/tab/commander");
  if (argv[3] === "bash") console.log(bashWithoutCompletionPackage);
  tab(program);
}

function fail(error: unknown): void {
  if (error instanceof ConfigError) {
    console.error("The settings cannot be used:");
    for (const { where, message } of error.mistakes)
      console.error(withoutUrlSecrets(`  ${where}: ${message}`));
    process.exitCode = 2;
    return;
  }
  console.error(withoutUrlSecrets(messageOf(error)));
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
