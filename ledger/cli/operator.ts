import { readFileSync } from "node:fs";
import { type Command, Option } from "commander";
import { omitUndefined } from "../../runtime/contract/index.ts";
import { listOperators, type ListedOperator } from "../seed/index.ts";
import { loadConfig } from "../../runtime/operations/config/index.ts";
import { openReader } from "../../runtime/server/index.ts";
import { application } from "../application.ts";
import { readPublicKey } from "../../runtime/auth/signing/index.ts";
import { systemClock } from "../../runtime/operations/system/index.ts";
import { withExamples } from "../../runtime/operations/cli/program.ts";
import { done, serviceKeyAlgorithms, type LocalResult, type ServiceKeyAlgorithm } from "./local-work.ts";
import { confirmed } from "./operate/confirm.ts";
import { unreadable, UsageError } from "../../runtime/operations/cli/startup-error.ts";

/** `operator`: operators are added, listed and ended on the service's machine, never over the wire. */
export function addOperatorManagement(program: Command): void {
  const operator = program
    .command("operator")
    .description("add, list, rotate and revoke operators, whether the service runs or not");
  addAdding(operator);
  withExamples(
    operator
      .command("list")
      .description("list operators, and how many API keys and signing keys each can use")
      .option("--institution <id>", "of this institution; without: of all")
      .option("--json", "print JSON")
      .action(printOperators),
    "ledger-server operator list",
    "ledger-server operator list",
    "ledger-server operator list --institution 091311229",
  );
  withExamples(
    operator
      .command("rotate")
      .description("give an operator a new API key, printed once; with --public-key, a new signing key, too")
      .argument("<user>", "user name of the operator")
      .option("--public-key <file>", "P-256 public key in PEM: revokes the operator's other signing keys")
      .option("--overlap-seconds <seconds>", "how long the former API key stays valid", "0")
      .action(rotate),
    "ledger-server operator rotate",
    "ledger-server operator rotate operator",
    "ledger-server operator rotate operator --public-key new.pub --overlap-seconds 3600",
  );
  withExamples(
    operator
      .command("revoke")
      .description("revoke all keys of an operator: calls are refused from now on")
      .argument("<user>", "user name of the operator")
      .option("--yes", "do not ask")
      .action(revoke),
    "ledger-server operator revoke",
    "ledger-server operator revoke operator",
    "ledger-server operator revoke operator --yes",
  );
}

/** `service-keys`: they sign the notifications of all institutions, so that no institution's operator rotates them. */
export function addServiceKeys(program: Command): void {
  const rotating = program
    .command("service-keys")
    .description("rotate the keys that sign webhooks, whether the service runs or not: service-keys rotate")
    .command("rotate")
    .description("make new keys: receivers see them at once, and they sign ten minutes later")
    .addOption(new Option("--algorithm <name>", "only this one").choices([...serviceKeyAlgorithms]))
    .action(async (options: { readonly algorithm?: ServiceKeyAlgorithm }) => {
      console.log(textOf(await done({ kind: "rotate-service-keys", ...options })));
    });
  withExamples(
    rotating,
    "ledger-server service-keys rotate",
    "ledger-server service-keys rotate --algorithm ES256",
  );
}

function addAdding(operator: Command): void {
  const adding = operator
    .command("add", { isDefault: true })
    .description("add an operator, and its institution if it is new; prints the credential once")
    .requiredOption("--institution <id>", "routing number of the institution")
    .option("--institution-name <name>", "its name, when it is new")
    .requiredOption("--user <name>", "user name of the operator")
    .requiredOption("--email <address>", "address of the operator")
    .requiredOption("--public-key <file>", "P-256 public key in PEM (openssl pkey -pubout)")
    .action(add);
  withExamples(adding, "ledger-server operator add", [
    "ledger-server operator add --institution 091311229",
    "--institution-name 'Harbor Bank'",
    "--user operator",
    "--email ops@harbor.example",
    "--public-key operator.pub",
  ]);
}

interface AddOptions {
  readonly institution: string;
  readonly institutionName?: string;
  readonly user: string;
  readonly email: string;
  readonly publicKey: string;
}

async function add(options: AddOptions): Promise<void> {
  const operator = omitUndefined({
    institutionId: options.institution,
    institutionName: options.institutionName,
    userName: options.user,
    email: options.email,
    publicKeyPem: readKeyFile(options.publicKey),
  });
  printAccess(await done({ kind: "add-operator", operator }));
}

interface RotateOptions {
  readonly publicKey?: string;
  readonly overlapSeconds: string;
}

async function rotate(userName: string, { publicKey, overlapSeconds }: RotateOptions): Promise<void> {
  if (!/^\d{1,6}$/.test(overlapSeconds) || Number(overlapSeconds) > overlapSecondsMax)
    throw new UsageError(`--overlap-seconds ${overlapSeconds} is no number from 0 to ${overlapSecondsMax}`);
  const publicKeyPem = publicKey === undefined ? undefined : readKeyFile(publicKey);
  const rotation = { userName, overlapSeconds: Number(overlapSeconds), ...omitUndefined({ publicKeyPem }) };
  printAccess(await done({ kind: "rotate-operator", ...rotation }));
}

/** A week, as over the wire. */
const overlapSecondsMax = 604_800;

async function revoke(userName: string, { yes = false }: { readonly yes?: boolean }): Promise<void> {
  const question = `Operator ${userName} can do nothing any more, and the name stays taken.`;
  if (!yes && !(await confirmed(question, userName))) throw new UsageError("Nothing was done.");
  console.log(textOf(await done({ kind: "revoke-operator", userName })));
}

interface ListOptions {
  readonly institution?: string;
  readonly json?: boolean;
}

/** Reads the database beside a service that may be running. */
async function printOperators({ institution, json = false }: ListOptions): Promise<void> {
  const store = await openReader(application, loadConfig(application, process.env));
  let found: readonly ListedOperator[];
  try {
    found = await listOperators({ store, clock: systemClock }, institution);
  } finally {
    await store.close();
  }
  const operators = found.map(({ user, ...keys }) => ({
    userName: user.userName,
    institutionId: user.institutionId,
    email: user.email,
    createdDate: new Date(user.createdAt).toISOString(),
    ...keys,
  }));
  const { resultText } = await import("./operate/output.ts");
  console.log(
    json ? JSON.stringify({ operators }) : resultText({ operators }, undefined, process.stdout.columns),
  );
}

/** Lines that an access file takes. */
function printAccess(access: LocalResult): void {
  console.log(textOf(access));
  console.error("The API key is shown this once and not stored. Keep it with the private key.");
}

function textOf(result: LocalResult): string {
  const width = Math.max(...Object.keys(result).map((name) => name.length)) + 2;
  return Object.entries(result)
    .map(([name, value]) => `${`${name}:`.padEnd(width)}${value}`)
    .join("\n");
}

/** @throws UsageError that says how the file is made. */
function readKeyFile(file: string): string {
  let pem: string;
  try {
    pem = readFileSync(file, "utf8");
  } catch (error) {
    throw new UsageError(
      `${file} ${unreadable(error)}. Make it: openssl pkey -in key.pem -pubout -out ${file}`,
      { cause: error },
    );
  }
  if (readPublicKey(pem) === undefined) {
    throw new UsageError(
      `${file} is not one P-256 public key in PEM. Make one: openssl pkey -in key.pem -pubout -out ${file}`,
    );
  }
  return pem;
}
