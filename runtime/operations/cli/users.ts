import { readFileSync } from "node:fs";
import { type Command, Option } from "commander";
import { omitUndefined } from "../../contract/index.ts";
import { loadConfig } from "../config/index.ts";
import { openReader } from "../../server/index.ts";
import { readPublicKey } from "../../auth/signing/index.ts";
import { listUsers, type ListedUser } from "../admin/index.ts";
import { systemClock } from "../system/index.ts";
import { confirmed } from "./confirm.ts";
import {
  done,
  serviceKeyAlgorithms,
  type LocalProgram,
  type LocalResult,
  type Managed,
  type ServiceKeyAlgorithm,
} from "./local-work.ts";
import { withExamples } from "./with-examples.ts";
import { unreadable, UsageError } from "./startup-error.ts";

/** Users are added, listed and ended on the service's machine: `managed` says which. */
export function addUserManagement(program: Command, local: LocalProgram): void {
  const { command, noun, realms } = local.managed;
  const users = program
    .command(command)
    .description(`add, list, rotate and revoke ${noun}s, whether the service runs or not`);
  const words = `ledger-server ${command}`;
  const ofRealm = (each: Command): Command =>
    realms.length < 2
      ? each
      : each.addOption(new Option("--interface <name>", "the interface that they call").choices(realms));
  ofRealm(addAdding(users, local));
  withExamples(
    ofRealm(users.command("list"))
      .description(`list ${noun}s, and how many API keys and signing keys each can use`)
      .option("--institution <id>", "of this institution; without: of all")
      .option("--json", "print JSON")
      .action((options: ListOptions) => printUsers(local, options)),
    `${words} list`,
    `${words} list`,
    ...(local.managed.institution === undefined ? [`${words} list --institution 091311229`] : []),
  );
  withExamples(
    ofRealm(users.command("rotate"))
      .description(
        `give ${article(noun)} a new API key, printed once; with --public-key, a new signing key, too`,
      )
      .argument("<user>", `user name of the ${noun}`)
      .option("--public-key <file>", `P-256 public key in PEM: revokes the ${noun}'s other signing keys`)
      .option("--overlap-seconds <seconds>", "how long the former API key stays valid", "0")
      .action((userName: string, options: RotateOptions) => rotate(local, userName, options)),
    `${words} rotate`,
    `${words} rotate ${noun}`,
    `${words} rotate ${noun} --public-key new.pub --overlap-seconds 3600`,
  );
  withExamples(
    ofRealm(users.command("revoke"))
      .description(`revoke all keys of ${article(noun)}: calls are refused from now on`)
      .argument("<user>", `user name of the ${noun}`)
      .option("--yes", "do not ask")
      .action((userName: string, options: RevokeOptions) => revoke(local, userName, options)),
    `${words} revoke`,
    `${words} revoke ${noun}`,
    `${words} revoke ${noun} --yes`,
  );
}

/** `service-keys`: they sign the notifications of all institutions, so that no institution's operator rotates them. */
export function addServiceKeys(program: Command, local: LocalProgram): void {
  const rotating = program
    .command("service-keys")
    .description("rotate the keys that sign webhooks, whether the service runs or not: service-keys rotate")
    .command("rotate")
    .description("make new keys: receivers see them at once, and they sign ten minutes later")
    .addOption(new Option("--algorithm <name>", "only this one").choices([...serviceKeyAlgorithms]))
    .action(async (options: { readonly algorithm?: ServiceKeyAlgorithm }) => {
      console.log(textOf(await done(local, { kind: "rotate-service-keys", ...options })));
    });
  withExamples(
    rotating,
    "ledger-server service-keys rotate",
    "ledger-server service-keys rotate --algorithm ES256",
  );
}

function article(noun: string): string {
  return `${/^[aeio]/.test(noun) ? "an" : "a"} ${noun}`;
}

/** An institution has to be named where the application has no usual one. */
function addAdding(users: Command, local: LocalProgram): Command {
  const { command, noun, institution } = local.managed;
  const adding = users.command("add", { isDefault: true });
  if (institution === undefined) {
    adding
      .description(`add ${article(noun)}, and its institution if it is new; prints the credential once`)
      .requiredOption("--institution <id>", "routing number of the institution")
      .option("--institution-name <name>", "its name, when it is new")
      .requiredOption("--user <name>", `user name of the ${noun}`)
      .requiredOption("--email <address>", `address of the ${noun}`);
  } else {
    adding
      .description(`add ${article(noun)}; prints the credential once`)
      .requiredOption("--user <name>", `user name of the ${noun}`)
      .option("--email <address>", `address of the ${noun}`, "")
      .option("--scopes <names>", "methods that it may call, separated by commas; without: all")
      .option("--institution <id>", "group of users that see each other's records", institution.id)
      .option("--institution-name <name>", "its name, when it is new");
  }
  adding
    .requiredOption("--public-key <file>", "P-256 public key in PEM (openssl pkey -pubout)")
    .action((options: AddOptions) => add(local, options));
  const words = `ledger-server ${command} add`;
  const example =
    institution === undefined
      ? [
          `${words} --institution 091311229`,
          "--institution-name 'Harbor Bank'",
          `--user ${noun}`,
          "--email ops@harbor.example",
          `--public-key ${noun}.pub`,
        ]
      : `${words} --user ann --public-key ann.pub`;
  return withExamples(adding, words, example);
}

interface OfInterface {
  readonly interface?: string;
}

function realmOf({ realms }: Managed, { interface: named }: OfInterface): string {
  const realm = named ?? realms[0];
  if (realm === undefined) throw new Error("no interface has users of the store");
  return realm;
}

interface AddOptions extends OfInterface {
  readonly institution: string;
  readonly institutionName?: string;
  readonly user: string;
  readonly email: string;
  readonly scopes?: string;
  readonly publicKey: string;
}

async function add(local: LocalProgram, options: AddOptions): Promise<void> {
  const { institution } = local.managed;
  const isUsual = options.institution === institution?.id;
  const user = omitUndefined({
    institutionId: options.institution,
    institutionName: options.institutionName ?? (isUsual ? institution.name : undefined),
    userName: options.user,
    email: options.email,
    scopes: options.scopes?.split(","),
    publicKeyPem: readKeyFile(options.publicKey),
  });
  printAccess(await done(local, { kind: "add-user", realm: realmOf(local.managed, options), user }));
}

interface RotateOptions extends OfInterface {
  readonly publicKey?: string;
  readonly overlapSeconds: string;
}

async function rotate(local: LocalProgram, userName: string, options: RotateOptions): Promise<void> {
  const { publicKey, overlapSeconds } = options;
  if (!/^\d{1,6}$/.test(overlapSeconds) || Number(overlapSeconds) > overlapSecondsMax)
    throw new UsageError(`--overlap-seconds ${overlapSeconds} is no number from 0 to ${overlapSecondsMax}`);
  const publicKeyPem = publicKey === undefined ? undefined : readKeyFile(publicKey);
  const rotation = { userName, overlapSeconds: Number(overlapSeconds), ...omitUndefined({ publicKeyPem }) };
  const realm = realmOf(local.managed, options);
  printAccess(await done(local, { kind: "rotate-user", realm, ...rotation }));
}

/** A week, as over the wire. */
const overlapSecondsMax = 604_800;

interface RevokeOptions extends OfInterface {
  readonly yes?: boolean;
}

async function revoke(local: LocalProgram, userName: string, options: RevokeOptions): Promise<void> {
  const { noun } = local.managed;
  const named = noun.slice(0, 1).toUpperCase() + noun.slice(1);
  const question = `${named} ${userName} can do nothing any more, and the name stays taken.`;
  if (options.yes !== true && !(await confirmed(question, userName)))
    throw new UsageError("Nothing was done.");
  const realm = realmOf(local.managed, options);
  console.log(textOf(await done(local, { kind: "revoke-user", realm, userName })));
}

interface ListOptions extends OfInterface {
  readonly institution?: string;
  readonly json?: boolean;
}

/** Reads the database beside a service that may be running. */
async function printUsers({ application, managed }: LocalProgram, options: ListOptions): Promise<void> {
  const store = await openReader(application, loadConfig(application, process.env));
  let found: readonly ListedUser[];
  try {
    found = await listUsers({ store, clock: systemClock }, realmOf(managed, options), options.institution);
  } finally {
    await store.close();
  }
  const users = found.map(({ user, ...keys }) => ({
    userName: user.userName,
    institutionId: user.institutionId,
    email: user.email,
    createdDate: new Date(user.createdAt).toISOString(),
    ...keys,
  }));
  const named = { [`${managed.noun}s`]: users };
  if (options.json === true) console.log(JSON.stringify(named));
  else console.log(managed.listText === undefined ? columnsOf(users) : await managed.listText(named));
}

/** Records below each other, each member in a column. */
function columnsOf(records: readonly object[]): string {
  const [first] = records;
  if (first === undefined) return "There is none.";
  const rows = [Object.keys(first), ...records.map((record) => Object.values(record).map(String))];
  const widths = Object.keys(first).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  return rows
    .map((row) => row.map((value, at) => value.padEnd(widths[at] ?? 0)).join("  "))
    .map((line) => line.trimEnd())
    .join("\n");
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
