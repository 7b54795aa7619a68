import { existsSync, readFileSync } from "node:fs";
import { messageOf } from "../../contract/index.ts";
import { openReader, sealerOf, type Application } from "../../server/index.ts";
import { ConfigError, loadConfig, type Config } from "../config/index.ts";
import type { LedgerVerification, Sealer } from "../../store/ports/index.ts";
import { currentRoot, fileOf, rootText, urlOfFile, verifyStore } from "../../store/index.ts";
import { progressDisplay } from "./progress.ts";
import { starting, unreadable } from "./startup-error.ts";

export interface VerifyCommandOptions {
  readonly json?: boolean;
  readonly file?: string;
  /** Roots kept elsewhere, and files with lines that hold such roots. */
  readonly root?: readonly string[];
  readonly rootsFile?: string;
}

/** Exit codes of `verify`. */
const exitCodes = { sound: 0, unsound: 1, unverified: 2 } as const;

/**
 * `verify`: says what of the books is wrong. Exit 1 if anything is found. Exit 2 if the file does not exist or open,
 * or the command was wrong.
 */
export async function verify(application: Application, options: VerifyCommandOptions): Promise<void> {
  const progress = progressDisplay(process.stderr);
  try {
    const config = loadConfig(application, process.env);
    const url = options.file === undefined ? config.database.url : urlOfFile(options.file);
    const file = fileOf(url);
    if (options.file !== undefined && !existsSync(options.file))
      throw new Error(`${options.file} cannot be read: it does not exist`);
    const roots = [...(options.root ?? []), ...rootsIn(options.rootsFile)];
    const verification = await starting(config, () =>
      verifyStore(url, application.schema, {
        roots,
        sealer: (keyId) => keyFor(config, keyId),
        onProgress: progress.show,
      }),
    );
    progress.clear();
    const { isSound: sound, records, ...rest } = verification;
    if (options.json === true)
      console.log(JSON.stringify({ sound, file, ...records, ...rest }, withBigIntText));
    else print(verification);
    process.exitCode = sound ? exitCodes.sound : exitCodes.unsound;
  } catch (error) {
    progress.clear();
    if (error instanceof ConfigError) throw error;
    console.error(`Not verified: ${messageOf(error)}`);
    process.exitCode = exitCodes.unverified;
  }
}

/** The key that a database is sealed with. Where it is not at hand, as with an auditor, nothing sealed is looked at. */
function keyFor(config: Config, keyId: string): Sealer | undefined {
  try {
    const sealer = sealerOf(config)({ current: keyId, isSealed: true });
    if (sealer.keyId === keyId) return sealer;
    throw new Error(`the database is sealed with key ${keyId}, the key given is ${sealer.keyId}`);
  } catch (error) {
    console.error(`Sealed texts are not opened: ${messageOf(error)}`);
    return undefined;
  }
}

/** `root`: the root over all audit entries, beside the service or without it. */
export async function printRoot(application: Application): Promise<void> {
  const config = loadConfig(application, process.env);
  const store = await starting(config, () => openReader(application, config));
  try {
    console.log(rootText(await currentRoot(store)));
  } finally {
    await store.close();
  }
}

/** Every root in the file's lines, such as those of the service's log. */
function rootsIn(file: string | undefined): readonly string[] {
  if (file === undefined) return [];
  const roots = textIn(file).match(/\b\d{1,15}:[0-9a-f]{64}\b/g);
  if (roots === null)
    throw new Error(`${file} holds no root: expected <number of entries>:<64 hexadecimal digits>`);
  return [...new Set(roots)];
}

function textIn(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new Error(`${file} ${unreadable(error)}`, { cause: error });
  }
}

function print({ isSound, findings, counts, root, sums, ...totals }: LedgerVerification): void {
  for (const { kind, table, record, what } of findings) {
    console.log(`${kind.padEnd(9)} ${table}${record === undefined ? "" : ` ${record}`}: ${what}`);
  }
  for (const [kind, count] of Object.entries(counts)) {
    const shown = findings.filter((finding) => finding.kind === kind).length;
    if (count > shown) console.log(`${kind.padEnd(9)} and ${count - shown} more`);
  }
  for (const { currency, sumMinor } of sums) {
    if (sumMinor !== 0n) console.log(`${currency}: the books sum to ${sumMinor}, not to 0`);
  }
  const { sealedTexts } = totals;
  const sealed = sealedTexts === undefined ? "" : `, ${sealedTexts} sealed texts`;
  console.log(`${isSound ? "Sound" : "NOT SOUND"}: ${countsText(totals)}${sealed}.`);
  if (root !== "") console.log(`Root: ${root}`);
  for (const todo of new Set(findings.map((finding) => finding.todo))) console.log(todo);
}

/** How many records were verified: `2 members, 5 audit entries`. */
export function countsText({
  records,
  auditEntries,
}: Pick<LedgerVerification, "records" | "auditEntries">): string {
  const counts = Object.entries({ ...records, "audit entries": auditEntries });
  return counts.map(([name, count]) => `${count} ${name}`).join(", ");
}

function withBigIntText(_name: string, value: unknown): unknown {
  return typeof value === "bigint" ? value.toString() : value;
}
