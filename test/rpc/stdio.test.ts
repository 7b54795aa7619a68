import { once } from "node:events";
import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { createService, type ServiceOptions } from "../../runtime/index.ts";
import { createFramer } from "../../runtime/transport/stdio/framing.ts";
import { rpcStdio, type StdioOptions } from "../../runtime/transport/stdio/index.ts";
import { trialHandlers } from "./handlers.ts";
import { interfaceWith } from "./interface.ts";

function start(options: StdioOptions = {}, serviceOptions: ServiceOptions = {}) {
  const trial = trialHandlers();
  const input = new PassThrough();
  const output = new PassThrough();
  const service = createService(
    interfaceWith({ notifications: { changed: { name: "changed" } } }),
    trial.handlers,
    {
      onFailure() {},
      ...serviceOptions,
    },
  );
  const endpoint = rpcStdio(service, { input, output, ...options });
  const written = async (): Promise<string> => {
    await endpoint.done;
    return String(output.read() ?? "");
  };
  return { ...trial, input, output, endpoint, written };
}

const call = (id: number, name: string, params?: object): string =>
  JSON.stringify({ jsonrpc: "2.0", id, method: name, params });

const withLength = (text: string): string => `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;

test("lines: however the bytes come, one answer a line", async () => {
  const { input, written } = start({ messagesAtOnce: 1 });
  const text = `${call(1, "echo", { text: "né\n" })}\r\n\n${call(2, "subtract", [5, 3])}`;
  for (const byte of Buffer.from(text)) input.write(Buffer.of(byte));
  input.end();
  expect(await written()).toBe(
    '{"jsonrpc":"2.0","result":{"text":"né\\n"},"id":1}\n{"jsonrpc":"2.0","result":2,"id":2}\n',
  );
});

test("content-length: however the bytes come, one header and body an answer", async () => {
  const { input, written } = start({ framing: "content-length", messagesAtOnce: 1 });
  const text =
    withLength(call(1, "echo", { text: "né" })) +
    `content-type: application/json\r\n${withLength(call(2, "get_data"))}` +
    withLength("");
  for (const byte of Buffer.from(text)) input.write(Buffer.of(byte));
  input.end();
  expect(await written()).toBe(
    withLength('{"jsonrpc":"2.0","result":{"text":"né"},"id":1}') +
      withLength('{"jsonrpc":"2.0","result":["hello",5],"id":2}') +
      withLength(
        '{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error","data":{"reason":"empty-message","atByte":0}},"id":null}',
      ),
  );
});

test.for(["lines", "content-length"] as const)(
  "%s: a message above the limit is refused, and the next one answered",
  async (framing) => {
    const { input, written } = start({ framing }, { limits: { messageBytes: 100 } });
    const frame = (text: string): string => (framing === "lines" ? `${text}\n` : withLength(text));
    input.end(frame("x".repeat(1_000_000)) + frame(call(1, "get_data")));
    expect(await written()).toMatch(/"code":-32013[^]*"id":null[^]*"hello",5\],"id":1/);
  },
);

test.for([
  ["a length that is no number", "Content-Length: 1x\r\n\r\n{}"],
  ["a header without end", "x".repeat(10_000)],
  ["half a message", "Content-Length: 99\r\n\r\n{"],
] as const)("content-length: after %s nothing more is read", async ([_name, text]) => {
  const { input, written, recorded } = start({ framing: "content-length" });
  input.end(text);
  expect(await written()).toContain('"code":-32700');
  expect(recorded).toEqual([]);
});

test.for(["lines", "content-length"] as const)(
  "%s: of a large message no more than the limit is kept",
  (framing) => {
    const framer = createFramer(framing, 100);
    const header = framing === "lines" ? "" : "Content-Length: 1000\r\n\r\n";
    const messages = [
      ...framer.push(Buffer.from(header + "x".repeat(400))),
      ...framer.push(Buffer.from("x".repeat(600) + "\n")),
    ];
    expect(messages.map(({ length }) => length)).toEqual([101]);
  },
);

test("the service notifies, and not once the other end is gone", async () => {
  const { input, output, endpoint } = start();
  expect(endpoint.notify("changed", { task: 1 })).toBe(true);
  expect(String(output.read())).toBe('{"jsonrpc":"2.0","method":"changed","params":{"task":1}}\n');
  expect(() => endpoint.notify("other")).toThrow("declares no notification other");
  output.destroy(new Error("EPIPE"));
  await endpoint.done;
  expect(endpoint.notify("changed")).toBe(false);
  expect(input.destroyed).toBe(true);
});

test("a notification is not sent while the other end has not read what came before", async () => {
  const { output, endpoint } = start();
  let sent = 0;
  while (sent < 1_000 && endpoint.notify("changed", { task: "x".repeat(1_000) })) sent += 1;
  expect(sent).toBeLessThan(1_000);
  expect(output.writableNeedDrain).toBe(true);
  output.read();
  await once(output, "drain");
  expect(endpoint.notify("changed", { task: 1 })).toBe(true);
});

test("a few messages are worked on at a time, and all of them are answered", async () => {
  const { input, written, waiting, release } = start({ messagesAtOnce: 3 });
  for (let id = 0; id < 10; id += 1) input.write(`${call(id, "wait")}\n`);
  input.end();
  let isDone = false;
  const text = written().finally(() => {
    isDone = true;
  });
  await expect
    .poll(() => {
      expect(waiting()).toBeLessThanOrEqual(3);
      release();
      return isDone;
    })
    .toBe(true);
  expect((await text).trim().split("\n")).toHaveLength(10);
});
