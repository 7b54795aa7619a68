import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { ledgerInterface } from "../../generated/ledger/methods.ts";
import { shareAtRisk } from "../../ledger/domain/rules.ts";
import { idSource, sealer } from "../../runtime/operations/system/index.ts";
import { ledgerHandlers, ledgerRevisions } from "../../ledger/handlers/ledger/index.ts";
import { createMetrics, serveHttp } from "../../runtime/operations/http/index.ts";
import { createCallers, storedNonces, createPipeline, createVerifier, type PipelineRules } from "../../runtime/pipeline/index.ts";
import { createReplayRegister, signedEnvelope } from "../../runtime/auth/index.ts";
import type { Clock, Store } from "../../runtime/store/ports/index.ts";
import { openSqliteStore } from "../bank-stores.ts";
import { writeMigratedFile } from "../migrated-file.ts";
import { addTestBank } from "./bank.ts";

/** When every transcript happens. */
export const nowMs = Date.UTC(2026, 10, 20, 12);

export interface TestService {
  readonly port: number;
  /** Everything logged so far. */
  logged(): string;
  close(): Promise<void>;
}

const clock: Clock = { now: () => nowMs, elapsedMs: () => nowMs, schedule: () => () => {} };

/** The configurations that a transcript may name. */
const variants: Readonly<Record<string, PipelineRules>> = {
  standard: {},
  reject: { unknownFields: "reject" },
  mapped: { httpStatus: "mapped" },
  open: { openFlatBodies: { userName: "sandbox", institutionId: "091311229" } },
  limited: { rateLimit: { perSecond: 1, burst: 2 } },
  strict: { isStrict: true },
};

/**
 * The real service over a file of its own, at a fixed time and with identifiers that repeat from run to run. `prepare`
 * adds to the test bank.
 */
export async function startService(
  variant: string,
  prepare?: (store: Store) => Promise<void>,
): Promise<TestService> {
  const rules = variants[variant];
  if (rules === undefined) throw new Error(`no configuration is called ${variant}`);
  const folder = mkdtempSync(join(tmpdir(), "transcripts-"));
  const file = join(folder, "ledger.sqlite");
  await writeMigratedFile(file);
  const store = await openSqliteStore({ file, migrate: false });
  await addTestBank(store, nowMs);
  await prepare?.(store);
  const lines: string[] = [];
  const logger = pino({ level: "debug" }, { write: (line: string) => lines.push(line) });
  const pipeline = createPipeline({
    interfaceDescriptor: ledgerInterface,
    handlers: ledgerHandlers,
    revisions: ledgerRevisions,
    realm: "ledger",
    ports: {
      store,
      clock,
      ids: idSource(clock, repeatingBytes()),
      sealer: sealer(Buffer.alloc(32, 7)),
      context: { riskScorer: shareAtRisk, rules: { closedIsFinal: false, overdraft: "allow", closing: "any" } },
      policy: { interfaces: ["ledger"], subscriptionsPerUserMax: 1_000, httpCallbacks: true },
    },
    callers: createCallers({ store, clock }),
    verifier: createVerifier(),
    log: logger,
    eventSource: "ledger",
    auth: signedEnvelope({
      proofOfPossession: { method: "KeyService.CompleteRegisterDevice", field: "PublicKey" },
    }),
    rules,
    replays: createReplayRegister({ clock, shelf: storedNonces(store) }),
  });
  const http = await serveHttp({
    host: "127.0.0.1",
    port: 0,
    pipeline,
    logger,
    metrics: createMetrics(),
    ready: () => store.ping(),
    newRequestId: () => "r1",
  });
  return {
    port: http.port,
    logged: () => lines.join(""),
    async close() {
      await http.close(0);
      await store.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Bytes that look random and are the same in every run. */
function repeatingBytes() {
  let drawn = 0;
  return (bytes: Uint8Array): void => {
    for (let at = 0; at < bytes.length; at += 32) {
      const block = createHash("sha256").update(`${(drawn += 1)}`).digest();
      bytes.set(block.subarray(0, bytes.length - at), at);
    }
  };
}

/** A test key of this folder. */
export function keyText(name: string): string {
  return readFileSync(join(import.meta.dirname, "keys", name), "utf8");
}
