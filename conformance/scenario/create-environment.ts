import type { Access, Identity } from "../request/access.ts";
import type { RunContext } from "../session/context.ts";
import { createTransport, NoAnswer, type Transport } from "../request/transport.ts";
import { publicKeysOf, type PublicKeys } from "./notification.ts";
import type { Receiver } from "./receiver.ts";
import type { Environment, Peer } from "./environment.ts";
import { UnusedObjects } from "./unused.ts";

export interface EnvironmentOptions {
  readonly context: RunContext;
  readonly access: Access;
  readonly operatorUrl: string | undefined;
  readonly receiver: Receiver | undefined;
  readonly mailFolder: string | undefined;
  readonly timeoutMs: number;
  readonly eventTimeoutMs: number;
  readonly connectionsMax: number;
  readonly signal?: AbortSignal | undefined;
}

const keySetPath = "/.well-known/jwks.json";

/** Creates the environment of a run's scenarios; `close` releases its connections and the receiver. */
export function createEnvironment(options: EnvironmentOptions): {
  readonly environment: Environment;
  close(): Promise<void>;
} {
  const { context, access, operatorUrl, receiver, mailFolder, timeoutMs, connectionsMax, eventTimeoutMs } =
    options;
  const { messageSignatures = false } = access;
  let uniques = 0;
  let keys: Promise<PublicKeys | undefined> | undefined;
  const transports: Transport[] = [];
  const peer = (identity: Identity | undefined, baseUrl: string | undefined): Peer | undefined => {
    if (identity === undefined || baseUrl === undefined) return undefined;
    const transport = createTransport({ baseUrl, timeoutMs, connectionsMax, messageSignatures });
    transports.push(transport);
    const { suite } = context;
    const path = suite.documentedPath ?? suite.path;
    return { context: { ...context, transport, baseUrl, suite: { ...suite, path } }, identity };
  };
  return {
    environment: {
      context,
      operator: peer(access.operator, operatorUrl),
      caller: peer(access.caller?.identity, access.caller?.baseUrl),
      receiver,
      fixtures: new Map(),
      spare: new Map(),
      unused: new UnusedObjects(),
      noted: new Map(),
      signal: options.signal,
      rest: Promise.withResolvers(),
      mailFolder,
      eventTimeoutMs,
      unique() {
        uniques += 1;
        return `${context.nonce}${String(uniques).padStart(4, "0")}`;
      },
      publicKeys() {
        keys ??= fetchKeys(context.transport);
        return keys;
      },
    },
    async close() {
      for (const transport of transports) transport.close();
      await receiver?.close();
    },
  };
}

async function fetchKeys(transport: Transport): Promise<PublicKeys | undefined> {
  try {
    const { status, body } = await transport.send({
      httpMethod: "GET",
      path: keySetPath,
      headers: {},
      body: Buffer.alloc(0),
    });
    return status === 200 ? publicKeysOf(JSON.parse(body.toString("utf8"))) : undefined;
  } catch (error) {
    if (error instanceof NoAnswer || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
