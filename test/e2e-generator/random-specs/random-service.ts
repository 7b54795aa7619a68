import { generateKeyPairSync } from "node:crypto";
import { pino } from "pino";
import type { SignedInterfaceDescriptor, ObjectShape } from "../../../runtime/contract/index.ts";
import { idSource, sealer, systemClock } from "../../../runtime/operations/system/index.ts";
import { createMetrics, serveHttp } from "../../../runtime/operations/http/index.ts";
import {
  createCallers,
  createPipeline,
  createVerifier,
  type AnyHandler,
} from "../../../runtime/pipeline/index.ts";
import { signedEnvelope } from "../../../runtime/auth/index.ts";
import { readByShape } from "../../../runtime/protocol/signed-envelope/index.ts";
import { createOperator } from "../../../ledger/seed/index.ts";
import { createMemoryStore } from "../../bank-stores.ts";
import type { Identity } from "../../../conformance/index.ts";

export interface RandomService {
  readonly baseUrl: string;
  readonly access: Identity;
  /** What the handler of each method was given last, as JSON. */
  readonly received: Map<string, unknown>;
  /** Causes of internal faults. */
  readonly failures: unknown[];
  stop(): Promise<void>;
}

/** Serves an interface over HTTP, each handler giving one result. */
export async function serveRandom(
  descriptor: SignedInterfaceDescriptor,
  resultOf: (method: string) => unknown,
): Promise<RandomService> {
  const store = createMemoryStore();
  const clock = systemClock;
  const ids = idSource(clock);
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const userName = "random";
  const { apiKey, keyId } = await createOperator(
    { store, clock, ids },
    {
      institutionId: "bank",
      institutionName: "Bank",
      userName,
      email: "random@example.com",
      publicKeyPem: publicKey.export({ type: "spki", format: "pem" }).toString(),
    },
  );
  const received = new Map<string, unknown>();
  const failures: unknown[] = [];
  const handler =
    (name: string, shape: ObjectShape): AnyHandler =>
    async (payload) => {
      received.set(name, JSON.parse(JSON.stringify(payload)));
      return readByShape(JSON.stringify(resultOf(name)), shape);
    };
  const pipeline = createPipeline({
    interfaceDescriptor: descriptor,
    handlers: Object.fromEntries(
      Object.values(descriptor.methods).map(({ name, result }) => [name, handler(name, result)]),
    ),
    realm: "operator",
    ports: {
      store,
      clock,
      ids,
      sealer: sealer(Buffer.alloc(32, 1)),
      policy: {
        interfaces: ["ledger"],
        subscriptionsPerUserMax: 1_000,
        httpCallbacks: true,
      },
    },
    auth: signedEnvelope(),
    callers: createCallers({ store, clock }),
    verifier: createVerifier(),
    log: { error: (fields) => failures.push(fields) },
    eventSource: "random",
  });
  const service = await serveHttp({
    host: "127.0.0.1",
    port: 0,
    pipeline,
    logger: pino({ enabled: false }),
    metrics: createMetrics(),
    ready: () => Promise.resolve(),
  });
  return {
    baseUrl: `http://127.0.0.1:${service.port}`,
    access: {
      userName,
      apiKey,
      keyId,
      privateKeyPem: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    },
    received,
    failures,
    async stop() {
      await service.close(0);
      await store.close();
    },
  };
}
