import type { Access, Identity } from "../request/access.ts";
import type { Lookup } from "../request/resolve-value.ts";
import { createTransport, NoAnswer, type Transport } from "../request/transport.ts";
import type { RunContext } from "../session/context.ts";
import type { MethodEntry } from "../suite/suite.ts";
import { type PublicKeys, publicKeysOf } from "./notification.ts";
import type { Receiver } from "./receiver.ts";
import { type Unused, UnusedObjects } from "./unused.ts";

/** An interface beside the one under test, and who calls it. */
export interface Peer {
  readonly context: RunContext;
  readonly identity: Identity;
}

/** An object for a later case: its samples, and how it was made. */
export interface Spare extends Unused {
  readonly method: MethodEntry;
  readonly samples: readonly (readonly [string, unknown])[];
}

/** The environment that scenarios share beside the service itself. */
export interface Environment {
  readonly context: RunContext;
  /** The operator's interface, and who operates it. */
  readonly operator: Peer | undefined;
  /** The documented interface and its caller, where the operator's interface is under test. */
  readonly caller: Peer | undefined;
  readonly receiver: Receiver | undefined;
  readonly mailFolder: string | undefined;
  /** How long an event or a mail may take, where a step does not allow more. */
  readonly eventTimeoutMs: number;
  /** Objects that a run makes once, by the name of their resource. */
  readonly fixtures: Map<string, Promise<readonly (readonly [string, unknown])[] | undefined>>;
  /** Objects that cases have changed nothing in, or put back, for later cases: by the name of their resource. */
  readonly spare: Map<string, Spare[]>;
  /** The values of objects of the access file before they were changed, by the name of their resource. */
  readonly noted: Map<string, Promise<Lookup>>;
  /** Those that no case needs any more, for scenarios. */
  readonly unused: UnusedObjects;
  /** Aborted when the run has to end: no further step is begun. */
  readonly signal: AbortSignal | undefined;
  /** Fulfilled when everything is done that waits for nothing else of the run. */
  readonly rest: PromiseWithResolvers<void>;
  /** A text that no other scenario of any run has. */
  unique(): string;
  /** The keys under which the service signs what it sends; undefined where it shows none. */
  publicKeys(): Promise<PublicKeys | undefined>;
}

interface EnvironmentOptions {
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
