import type { Readable, Writable } from "node:stream";
import type { AnyNotifications, Notifier } from "../../contract/index.ts";
import { checkTransport, type RpcService } from "../../service/index.ts";
import { createFramer, FramingError, type Framing } from "./framing.ts";

export type { Framing } from "./framing.ts";

export interface StdioOptions {
  /** Default: `lines`. */
  readonly framing?: Framing;
  /** Default: standard input. */
  readonly input?: Readable;
  /** Default: standard output. Nothing else may write to it. */
  readonly output?: Writable;
  /** Messages worked on at once; reading pauses there. Default 16. */
  readonly messagesAtOnce?: number;
}

/** A service on a pair of streams. */
export interface StdioEndpoint<Notifications extends object = AnyNotifications> {
  /**
   * Sends a notification. False where the output is closed, or full of what the other end has not read.
   * @throws Error where the interface does not declare it, or the params do not fit.
   */
  readonly notify: Notifier<Notifications>;
  /** Fulfilled when the input has ended and everything is answered. */
  readonly done: Promise<void>;
}

/** A service over standard input and output: `await rpcStdio(service).done`. */
export function rpcStdio<Notifications extends object>(
  service: RpcService<Notifications>,
  options?: StdioOptions,
): StdioEndpoint<Notifications>;
export function rpcStdio(service: RpcService, options: StdioOptions = {}): StdioEndpoint {
  const { framing = "lines", input = process.stdin, output = process.stdout, messagesAtOnce = 16 } = options;
  checkTransport(service.protocol, "stdio");
  const framer = createFramer(framing, service.protocol.messageBytesMax);
  const atWork = new Set<Promise<void>>();
  const session = service.open({ transport: "stdio", evidence: noEvidence, notify });
  let isOpen = true;
  output.on("error", () => {
    isOpen = false;
    input.destroy();
    session.leave();
  });

  function write(text: string): void {
    if (isOpen && output.writable) output.write(framed(text, framing));
  }

  function notify(method: string, params?: object): boolean {
    const text = service.notification(method, params);
    if (!isOpen || !output.writable || output.writableNeedDrain) return false;
    write(text);
    return true;
  }

  async function answer(bytes: Buffer): Promise<void> {
    const { text } = await session.answer(bytes);
    if (text !== undefined) write(text);
  }

  /** Waits while too much is at work, or the other end does not read. */
  async function take(bytes: Buffer): Promise<void> {
    while (atWork.size >= messagesAtOnce) await Promise.race(atWork);
    if (isOpen && output.writableNeedDrain) await drained(output);
    const work = answer(bytes)
      .catch(service.report)
      .finally(() => atWork.delete(work));
    atWork.add(work);
  }

  async function run(): Promise<void> {
    try {
      for await (const chunk of input) for (const bytes of framer.push(bufferOf(chunk))) await take(bytes);
      for (const bytes of framer.end()) await take(bytes);
    } catch (error) {
      if (isOpen) service.report(error);
      // Where the next message begins is not known any more: the other end learns it, and nothing more is read.
      if (error instanceof FramingError) await take(Buffer.from("?"));
    }
    await Promise.all(atWork);
  }

  return { notify, done: run() };
}

/** Pipes say nothing of who is at their other end. */
const noEvidence = { body: Buffer.alloc(0), header: () => [], httpMethod: "", target: "" };

function framed(text: string, framing: Framing): string {
  return framing === "lines" ? `${text}\n` : `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
}

function bufferOf(chunk: unknown): Buffer {
  return Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
}

function drained(output: Writable): Promise<void> {
  return new Promise((resolve) => {
    const stop = (): void => {
      for (const event of ["drain", "close", "error"]) output.off(event, stop);
      resolve();
    };
    for (const event of ["drain", "close", "error"]) output.on(event, stop);
  });
}
