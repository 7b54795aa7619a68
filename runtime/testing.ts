import {
  jsonRpcFrame,
  omitUndefined,
  type Frame,
  type JsonRpcInterfaceDescriptor,
  type JsonValue,
} from "./contract/index.ts";
import type { Evidence } from "./auth/port.ts";
import {
  startService,
  type AnyHandlers,
  type OptionsFor,
  type RpcService,
  type ServiceOptions,
} from "./service/index.ts";

/** The other end of a service in the same process: no sockets, the same bytes. */
export interface TestPeer {
  /** Calls a method. @throws CallError where the answer is an error. */
  call(method: string, params?: object): Promise<JsonValue>;
  /** Sends a notification, and waits until it is done. */
  notify(method: string, params?: object): Promise<void>;
  /** Sends a message as it is; gives the answer's text, or nothing if there is no answer. */
  send(message: string | Buffer): Promise<string | undefined>;
  /** The notifications that the service has sent. */
  readonly notifications: readonly { readonly method: string; readonly params?: object }[];
}

export interface TestPeerOptions {
  /** Headers of the request or handshake: credentials, `Idempotency-Key`. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly peerAddress?: string;
}

/** An error of a service under test. */
export class CallError extends Error {
  override readonly name = "CallError";
  readonly code: number;
  readonly data: JsonValue | undefined;

  constructor(code: number, message: string, data: JsonValue | undefined) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** A service and a peer for it: `testService(tasksInterface, handlers, { auth }).call("list", [null])`. */
export function testService<
  Descriptor extends JsonRpcInterfaceDescriptor,
  Handlers extends AnyHandlers<Handlers>,
>(
  descriptor: Descriptor,
  handlers: Handlers,
  ...[options]: OptionsFor<Descriptor, Handlers, ServiceOptions & TestPeerOptions>
): TestPeer {
  return testPeer(startService(descriptor, { ...handlers }, options ?? {}), options);
}

export function testPeer<Notifications extends object>(
  service: RpcService<Notifications>,
  options?: TestPeerOptions,
): TestPeer;
export function testPeer(service: RpcService, options: TestPeerOptions = {}): TestPeer {
  const notifications: { method: string; params?: object }[] = [];
  const { frame = jsonRpcFrame } = service.descriptor;
  const { version } = frame;
  const start = version === undefined ? {} : { [version.member]: version.value };
  let lastId = 0;

  function notify(method: string, params?: object): boolean {
    // Only what the spec declares can be sent.
    service.notification(method, params);
    notifications.push(params === undefined ? { method } : { method, params });
    return true;
  }

  async function send(message: string | Buffer): Promise<string | undefined> {
    const bytes = Buffer.from(message);
    const evidence = evidenceOf(service.descriptor, bytes, options);
    return (await service.open({ transport: "http", evidence, notify }).answer(bytes)).text;
  }

  return {
    notifications,
    send,
    async call(method, params) {
      lastId += 1;
      const text = await send(
        JSON.stringify({ ...start, [frame.id]: lastId, [frame.method]: method, [frame.params]: params }),
      );
      return resultOf(text ?? "null", frame);
    },
    async notify(method, params) {
      await send(JSON.stringify({ ...start, [frame.method]: method, [frame.params]: params }));
    },
  };
}

interface ResponseText {
  readonly result?: JsonValue;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: JsonValue };
}

function resultOf(text: string, frame: Frame): JsonValue {
  const answer = Object(JSON.parse(text));
  const { result = null, error }: ResponseText = {
    result: answer[frame.result],
    error: answer[frame.error],
  };
  if (error !== undefined) throw new CallError(error.code, error.message, error.data);
  return result;
}

function evidenceOf({ path }: JsonRpcInterfaceDescriptor, body: Buffer, options: TestPeerOptions): Evidence {
  const headers = new Map(
    Object.entries(options.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
  );
  return {
    body,
    header: (name) => [headers.get(name) ?? []].flat(),
    httpMethod: "POST",
    target: path,
    ...omitUndefined({ peerAddress: options.peerAddress }),
  };
}
