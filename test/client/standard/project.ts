import { createHash, createPublicKey, generateKeyPairSync } from "node:crypto";
import { createServer, type RequestListener } from "node:http";
import { once } from "node:events";
import type { Socket } from "node:net";
import { loadEmitters } from "../../../generator/targets/index.ts";
import { prints } from "../../../generator/targets/prints.ts";
import { apiKey } from "../../../runtime/auth/api-key/index.ts";
import { basic } from "../../../runtime/auth/basic/index.ts";
import { clientCert } from "../../../runtime/auth/client-cert/index.ts";
import { hmac } from "../../../runtime/auth/hmac/index.ts";
import { jwt } from "../../../runtime/auth/jwt/index.ts";
import { messageSignature } from "../../../runtime/auth/message-signature/index.ts";
import type { SchemeVerifier } from "../../../runtime/auth/port.ts";
import type { Project } from "../../unit/emit-project.ts";
import { createProject } from "../../unit/emit-project.ts";
import { tasksLayout, tasksModel } from "./tasks.ts";

type Call = (payload?: object, options?: object) => Promise<unknown>;

interface Paged {
  all(filter?: object, options?: object): AsyncIterable<unknown>;
}

/** The client as these tests use it. Its types are tried by the compiler: test/client/standard/types.nightly.test.ts. */
export interface TasksClient {
  readonly list: Call;
  readonly add: Call;
  readonly double: Call;
  readonly find: Call;
  readonly tasks: Paged;
  readonly matches: Paged;
  readonly count: Call;
  readonly clear: Call;
  readonly balance: Call;
  readonly ping: Call;
  readonly call_: Call;
  readonly remove: Call;
  readonly archive: Call;
  readonly staff: Call;
  readonly proxied: Call;
  readonly mine: Call;
  call(name: string, payload?: object, options?: object): Promise<unknown>;
  raw(name: string, payload?: object): Promise<{ readonly envelope?: { readonly result?: object } }>;
  notify(name: string, payload?: object, options?: object): Promise<void>;
  batch(calls: readonly object[], options?: object): Promise<readonly Outcome[]>;
}

interface Outcome {
  readonly status: string;
  readonly value?: unknown;
  readonly reason?: Error;
}

export interface TasksSocket extends TasksClient {
  on(name: string, listener: (payload: unknown) => void): () => void;
  close(): void;
}

type ErrorClass = new (...given: never) => Error;

export interface TasksPackage {
  readonly createTasksClient: (options: object) => TasksClient;
  readonly createTasksSocket: (options: object) => TasksSocket;
  readonly GoneError: ErrorClass;
  readonly FullError: ErrorClass;
  readonly CrowdedError: ErrorClass;
  readonly MethodNotFoundError: ErrorClass;
  readonly money: { digits(holder: object, name: string): string };
}

/** Everything that is generated for the tasks. */
export async function tasksProject(model = tasksModel()): Promise<Project> {
  const emitters = (await loadEmitters()).filter((emitter) => prints(emitter, model));
  return await createProject(emitters.flatMap((emitter) => emitter.emit(model, tasksLayout)));
}

const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const secret = "a secret of thirty-two characters";

/** Credentials for every scheme. */
export const credentials = {
  machine: "key-of-the-machine",
  signed: { keyId: "k1", secret },
  message: { keyId: "m1", privateKey: privateKey.export({ type: "pkcs8", format: "pem" }) },
  staff: () => ({ userName: "ada", password: "bébé" }),
  proxy: true,
  own: ({ body }: { readonly body: Uint8Array }) => ({ "x-mine": String(body.length) }),
};

/** What checks them. */
export const verifiers: Readonly<Record<string, SchemeVerifier>> = {
  user: jwt({ secret, caller: ({ sub }) => ({ id: sub }) }),
  machine: apiKey({
    caller: ({ sha256 }) =>
      sha256 === createHash("sha256").update(credentials.machine).digest("hex")
        ? { id: "machine" }
        : undefined,
  }),
  signed: hmac({ key: (keyId) => (keyId === "k1" ? { secret, caller: { id: "signer" } } : undefined) }),
  message: messageSignature({
    key: (keyId) =>
      keyId === "m1"
        ? { key: createPublicKey(publicKey.export({ type: "spki", format: "pem" })), caller: {} }
        : undefined,
  }),
  staff: basic({
    caller: ({ userName, password }) =>
      userName === "ada" && password === "bébé" ? { id: "ada" } : undefined,
  }),
  proxy: clientCert({ trustedProxies: ["10.0.0.1"], caller: () => undefined }),
  own: {
    kind: "x-mine",
    bind: () => ({
      verifies: "request",
      verify: ({ header, body }) =>
        header("x-mine")[0] === String(body.length)
          ? { kind: "identity", identity: { caller: {}, scopes: [] } }
          : { kind: "rejected" },
    }),
  },
};

export interface Listening {
  readonly port: number;
  readonly server: ReturnType<typeof createServer>;
  /** Breaks every connection. */
  cut(): void;
  stop(): Promise<void>;
}

export async function serve(listener: RequestListener): Promise<Listening> {
  const sockets = new Set<Socket>();
  const server = createServer(listener).on("connection", (socket) => {
    sockets.add(socket.on("close", () => sockets.delete(socket)));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  const cut = () => sockets.forEach((socket) => socket.destroy());
  return {
    port: address.port,
    server,
    cut,
    async stop() {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
