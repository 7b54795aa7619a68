import { existsSync, linkSync, mkdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { loadConfig, type Config } from "../config/index.ts";
import { messageOf } from "../../contract/index.ts";
import type { Application } from "../../server/index.ts";
import { copiesOf, fileOf, sealKeysOf } from "../../store/index.ts";
import { readKeyFile, sealer, sealKeyFile, sealKeyId, sealKeyOf, writeKeyFile } from "../system/index.ts";
import { progressDisplay, progressLine } from "./progress.ts";
import { countsText } from "./verify.ts";
import { starting } from "./startup-error.ts";

interface BackupOptions {
  readonly force?: boolean;
  readonly withSealKey?: boolean;
  readonly json?: boolean;
}

/** `backup`: copies the database to a file, or to a new one in a folder, while the service runs; verifies the copy. */
export async function backUp(
  application: Application,
  target: string,
  { force = false, withSealKey, json }: BackupOptions,
): Promise<void> {
  const config = loadConfig(application, process.env);
  const { url } = config.database;
  const copies = copiesOf(url);
  const { schema } = application;
  const named = targetIn(target, application);
  const keyFile = `${named}.seal.key`;
  if (withSealKey === true && !force && existsSync(keyFile)) {
    throw new Error(`${keyFile} exists: name another file, or replace it with --force`);
  }
  for (const { file: left, bytes } of copies.unfinished(dirname(named))) {
    console.error(
      `${left} (${bytes} bytes) is what an interrupted backup has left, and no backup: remove it.`,
    );
  }
  const progress = copyProgress("copying");
  const made = await starting(config, async () => {
    // Asked for before the copy, which may take long.
    const key = withSealKey === true ? await keyOfDatabase(application, config) : undefined;
    const outcome = await copies.backUp(url, schema, named, { replace: force, progress });
    if (key === undefined) return outcome;
    writeBeside(named, keyFile, key, force);
    return { ...outcome, sealKeyFile: keyFile };
  }).finally(progress.end);
  const { verification, ...rest } = made;
  const { records, auditEntries, root } = verification;
  if (json === true) {
    console.log(JSON.stringify({ ...rest, ...records, auditEntries, root }));
    return;
  }
  console.log(`${made.file}: ${made.bytes} bytes, sound, ${countsText(verification)}.`);
  console.log(`Root: ${root}`);
  console.log(
    `Seal key: ${made.sealKeyId ?? "none"}; ${"sealKeyFile" in made ? "beside it" : "not in the backup"}.`,
  );
}

/** `restore`: puts a backup in the place of the database, while the service is stopped; keeps what was there. */
export async function restore(
  application: Application,
  source: string,
  { sealKey: keyFile, json }: { readonly sealKey?: string; readonly json?: boolean },
): Promise<void> {
  const config = loadConfig(application, process.env);
  const { url } = config.database;
  const progress = copyProgress("copying");
  const { verification, replaced } = await starting(config, async () => {
    mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
    const given = keyFile === undefined ? undefined : readKeyFile(keyFile);
    return copiesOf(url).restore(source, url, application.schema, {
      sealer: (known) => sealer(given ?? sealKeyOf(config, known)),
      progress,
      // First the key: interrupted between, a database without its key would be left.
      beforeReplacing: () => {
        if (given !== undefined) keepKey(config, given);
      },
    });
  }).finally(progress.end);
  const { records, auditEntries, root } = verification;
  if (json === true) console.log(JSON.stringify({ ...records, auditEntries, root, replaced }));
  else {
    console.log(`Restored: sound, ${countsText(verification)}.\nRoot: ${root}`);
    if (replaced !== undefined) console.log(`What was there is kept: ${replaced}`);
    console.log(
      "Before you start the service read what a restore brings back: docs/operations.md, Backup and restore.",
    );
  }
}

function writeBeside(backup: string, keyFile: string, key: Uint8Array, replace: boolean): void {
  try {
    writeKeyFile(keyFile, key, replace);
  } catch (error) {
    throw new Error(
      `${backup} is complete, but its key is not beside it: ${keyFile} cannot be written: ${messageOf(error)}. ` +
        "Put that right and make the backup again with --force, or keep the key elsewhere",
      { cause: error },
    );
  }
}

/** @throws Error where the key at hand is not the one that the database is sealed with. */
async function keyOfDatabase({ schema }: Application, config: Config): Promise<Uint8Array> {
  const { url } = config.database;
  const known = await sealKeysOf(url).known(url, schema);
  const key = sealKeyOf(config, known);
  if (known.current === undefined || known.current === sealKeyId(key)) return key;
  throw new Error(
    `${fileOf(url)} is sealed with key ${known.current}; the key at hand is ${sealKeyId(key)}, and would open nothing of the ` +
      "backup. Nothing was copied. Give the former, in LEDGER_SEAL_KEY or, in the sandbox, as seal.key in the data folder",
  );
}

/** A folder gets a file named by the time. */
function targetIn(target: string, { name }: Application): string {
  if (statSync(target, { throwIfNoEntry: false })?.isDirectory() !== true) return target;
  return join(target, `${name}-${new Date().toISOString().replaceAll(":", "-")}.sqlite`);
}

/** The sandbox keeps the key that was given; an operator who configures one sets it. */
function keepKey(config: Config, key: Uint8Array): void {
  if (config.sealKey !== undefined) {
    if (Buffer.from(config.sealKey, "base64").equals(key)) return;
    console.error(`Set LEDGER_SEAL_KEY to key ${sealKeyId(key)} before you start the service.`);
    return;
  }
  const file = sealKeyFile(config.dataDir);
  if (existsSync(file)) {
    if (Buffer.from(readKeyFile(file)).equals(key)) return;
    // The files that are replaced need it.
    linkSync(file, `${file}.replaced-${new Date().toISOString().replaceAll(":", "-")}`);
  }
  writeKeyFile(file, key, true);
}

function copyProgress(what: string) {
  const copying = progressLine(what);
  const verifying = progressDisplay(process.stderr);
  return {
    copied: copying.show,
    verified: verifying.show,
    end: () => {
      copying.end();
      verifying.clear();
    },
  };
}
