import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** One caller of the demo service. */
export interface Identity {
  readonly userName: string;
  readonly apiKey: string;
  readonly keyId: string;
  readonly privateKeyPem: string;
}

/** Everything a client of the demo service needs: `access.json` in the data folder, for its owner only. */
export interface Access extends Identity {
  readonly baseUrl: string;
  readonly operatorUrl: string;
  readonly operator: Identity;
  /** Whether callers have to sign each HTTP message, too (`auth.replay: strict`). */
  readonly messageSignatures?: boolean;
  readonly samples: {
    readonly accountId: string;
    readonly accountNumber: string;
    readonly businessCustomerId: string;
    readonly consumerCustomerId: string;
    readonly legalRepId: string;
    readonly shareHolderId: string;
    readonly beneficiaryId: string;
    readonly referenceId: string;
    readonly sourceId: string;
    readonly source: string;
    readonly accountCategory: string;
  };
}

/** The access file of an earlier start; absent before the demo data was added. Nothing but its addresses and
 * `messageSignatures` is ever changed. */
export function readAccess(dataDir: string): Access | undefined {
  const file = fileIn(dataDir);
  if (!existsSync(file)) return undefined;
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new Error(`${file} is not JSON any more. Remove ${dataDir} to start over with new demo data.`, {
      cause: error,
    });
  }
}

export function writeAccess(dataDir: string, content: Access): void {
  const file = fileIn(dataDir);
  writeFileSync(`${file}.part`, `${JSON.stringify(content, undefined, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.part`, file);
}

function fileIn(dataDir: string): string {
  return join(dataDir, "access.json");
}
