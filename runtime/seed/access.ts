import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod/mini";

const identity = { userName: z.string(), apiKey: z.string(), keyId: z.string(), privateKeyPem: z.string() };

const access = z.object({
  baseUrl: z.string(),
  operatorUrl: z.string(),
  ...identity,
  operator: z.object(identity),
  samples: z.object({
    accountId: z.string(),
    accountNumber: z.string(),
    businessCustomerId: z.string(),
    consumerCustomerId: z.string(),
    legalRepId: z.string(),
    shareHolderId: z.string(),
    beneficiaryId: z.string(),
    referenceId: z.string(),
    sourceId: z.string(),
    source: z.string(),
    accountCategory: z.string(),
  }),
});

/** Everything a client of the demo service needs: `access.json` in the data folder, for its owner only. */
export type Access = z.infer<typeof access>;

/** One caller of the demo service. */
export type Identity = Access["operator"];

/** Absent before the demo data was added. */
export function readAccess(dataDir: string): Access | undefined {
  const file = fileIn(dataDir);
  if (!existsSync(file)) return undefined;
  const read = access.safeParse(JSON.parse(readFileSync(file, "utf8")));
  if (!read.success)
    throw new Error(`${file} is not what this service wrote: ${z.prettifyError(read.error)}`);
  return read.data;
}

export function writeAccess(dataDir: string, content: Access): void {
  const file = fileIn(dataDir);
  writeFileSync(`${file}.part`, `${JSON.stringify(content, undefined, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.part`, file);
}

function fileIn(dataDir: string): string {
  return join(dataDir, "access.json");
}
