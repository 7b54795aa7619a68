import { existsSync, linkSync, renameSync } from "node:fs";
import { loadConfig, type Config } from "../config/index.ts";
import { UnavailableError } from "../../store/ports/index.ts";
import type { Application } from "../../server/index.ts";
import { sealKeysOf } from "../../store/index.ts";
import {
  makeKeyFile,
  readKeyFile,
  sealer,
  sealKeyFile,
  sealKeyId,
  sealKeyOf,
  syncFolder,
} from "../system/index.ts";
import { progressLine } from "./progress.ts";
import { starting } from "./startup-error.ts";

interface RotateOptions {
  readonly newKeyFile?: string;
  readonly json?: boolean;
}

/**
 * `rotate-seal-key`: seals everything with a new key, while the service is stopped. Run again after an interruption it
 * goes on where it was.
 */
export async function rotateSealKey(
  application: Application,
  { newKeyFile, json }: RotateOptions,
): Promise<void> {
  const config = loadConfig(application, process.env, { acceptsWeakKey: true });
  const { url } = config.database;
  const { schema } = application;
  const keys = sealKeysOf(url);
  const newFile = newFileOf(config, newKeyFile);
  const progress = progressLine("sealing");
  const { rotation, formerFile } = await starting(config, async () => {
    const former = sealKeyOf(config, await keys.known(url, schema));
    const both = () => sealer(existsSync(newFile) ? readKeyFile(newFile) : makeKeyFile(newFile), former);
    const outcome = await keys
      .rotate(url, schema, { both, formerKeyId: sealKeyId(former), progress: progress.show })
      .catch((error: unknown) => {
        throw error instanceof UnavailableError ? unfinished(error, newFile) : error;
      });
    return { rotation: outcome, formerFile: takeIntoUse(config, newFile, sealKeyId(former)) };
  }).finally(progress.end);
  if (json)
    console.log(
      JSON.stringify({
        ...rotation,
        keyFile: formerFile === undefined ? newFile : sealKeyFile(config.dataDir),
        formerKeyFile: formerFile,
      }),
    );
  else {
    console.log(
      `Sealed ${rotation.texts} texts with key ${rotation.keyId}. Nothing needs the former key any more but`,
    );
    console.log("backups from before: keep it as long as you keep them.");
    if (formerFile !== undefined) console.log(`It is in ${formerFile} now: put it where you keep such keys.`);
    else console.log(`Before the next start set LEDGER_SEAL_KEY to the content of ${newFile}.`);
  }
}

function unfinished(cause: UnavailableError, newFile: string): Error {
  return new Error(
    `Not everything is sealed with the new key, ${newFile}: ${cause.message}. Put that right and run ` +
      "`ledger-server rotate-seal-key` again with both keys: it goes on where it was. The service may not start before",
    { cause },
  );
}

function newFileOf({ sealKey, dataDir }: Config, named: string | undefined): string {
  if (sealKey === undefined) return `${sealKeyFile(dataDir)}.new`;
  if (named !== undefined) return named;
  throw new Error(
    "The key is given in LEDGER_SEAL_KEY: name a file for the new one with --new-key-file <file>. " +
      "It is made there, or read from there if it exists",
  );
}

/**
 * Replaces a key of the sandbox, and gives the file that now holds the former one. An operator who configures a key
 * replaces it there.
 */
function takeIntoUse({ sealKey, dataDir }: Config, newFile: string, formerKeyId: string): string | undefined {
  if (sealKey !== undefined) return undefined;
  const file = sealKeyFile(dataDir);
  const formerFile = `${file}.former-${formerKeyId}`;
  if (!existsSync(formerFile)) linkSync(file, formerFile);
  renameSync(newFile, file);
  syncFolder(dataDir);
  return formerFile;
}
