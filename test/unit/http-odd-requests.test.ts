import { once } from "node:events";
import { describe, expect, test } from "vitest";
import { answering, call, dial, heldPipeline, serve, until } from "./http-harness.ts";

/**
 * The bytes that a server sends after it has received some bytes, until it closes or has answered as often as
 * expected.
 */
async function exchange(bytes: string, answers = 1): Promise<string> {
  const { service } = await serve({ pipeline: answering });
  const { socket, received } = await dial(service.port);
  const closed = once(socket, "close");
  const answered = new Promise<void>((resolve) => {
    socket.on("data", () => {
      if (received().split("HTTP/1.1 ").length > answers) resolve();
    });
  });
  socket.write(bytes, "latin1");
  await Promise.race([closed, answered]);
  socket.destroy();
  // Whatever one peer sent, others are served.
  expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
  return received();
}

const head = (start: string, ...headers: readonly string[]) =>
  `${[start, "Host: t", ...headers].join("\r\n")}\r\n\r\n`;
const json = "Content-Type: application/json";

describe("requests whose end two parsers may see in two places are refused, and the connection is closed", () => {
  test.each([
    ["two lengths", head("POST /rpc HTTP/1.1", json, "Content-Length: 2", "Content-Length: 3") + "{}"],
    [
      "the same length twice",
      head("POST /rpc HTTP/1.1", json, "Content-Length: 2", "Content-Length: 2") + "{}",
    ],
    ["a list of lengths", head("POST /rpc HTTP/1.1", json, "Content-Length: 2, 2") + "{}"],
    ["a negative length", head("POST /rpc HTTP/1.1", json, "Content-Length: -1") + "{}"],
    ["a length with a sign", head("POST /rpc HTTP/1.1", json, "Content-Length: +2") + "{}"],
    ["a length beyond all numbers", head("POST /rpc HTTP/1.1", json, `Content-Length: ${"9".repeat(30)}`)],
    [
      "length and chunks",
      head("POST /rpc HTTP/1.1", json, "Content-Length: 2", "Transfer-Encoding: chunked") + "0\r\n\r\n",
    ],
    ["another coding last", head("POST /rpc HTTP/1.1", json, "Transfer-Encoding: chunked, identity") + "{}"],
    ["an unknown coding", head("POST /rpc HTTP/1.1", json, "Transfer-Encoding: xchunked") + "{}"],
    ["a space before the colon", head("POST /rpc HTTP/1.1", json, "Content-Length : 2") + "{}"],
    ["a folded header", head("POST /rpc HTTP/1.1", json, "X-A: b\r\n c", "Content-Length: 2") + "{}"],
    ["a bare line feed", "POST /rpc HTTP/1.1\nHost: t\nContent-Length: 2\n\n{}"],
    ["a NUL in a header", head("POST /rpc HTTP/1.1", json, "X-A: a\0b", "Content-Length: 2") + "{}"],
    [
      "a chunk size that is none",
      head("POST /rpc HTTP/1.1", json, "Transfer-Encoding: chunked") + "0x2\r\n{}\r\n0\r\n\r\n",
    ],
    [
      "a chunk longer than it says",
      head("POST /rpc HTTP/1.1", json, "Transfer-Encoding: chunked") + "1\r\n{}\r\n0\r\n\r\n",
    ],
    ["two hosts", head("POST /rpc HTTP/1.1", json, "HOST: other", "Content-Length: 2") + "{}"],
    ["two types", head("POST /rpc HTTP/1.1", json, "content-type: text/plain", "Content-Length: 2") + "{}"],
    [
      "two credentials",
      head("POST /rpc HTTP/1.1", json, "Authorization: a", "Authorization: b", "Content-Length: 2") + "{}",
    ],
    [
      "chunks in HTTP/1.0",
      head("POST /rpc HTTP/1.0", json, "Connection: keep-alive", "Transfer-Encoding: chunked") +
        "2\r\n{}\r\n0\r\n\r\n",
    ],
    ["no host", "POST /rpc HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}"],
    ["another protocol", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
    ["a TLS greeting", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"],
  ])("%s", async (_name, bytes) => {
    expect(await exchange(bytes)).toMatch(/^HTTP\/1\.1 400 Bad Request\r\nConnection: close\r\n/);
  });
});

describe("headers are limited", () => {
  test.each([
    ["one long header", [`X-Long: ${"x".repeat(17_000)}`]],
    ["a long Signature", [`Signature: keyId=${" ".repeat(17_000)}"`]],
    ["a long name", [`${"X".repeat(17_000)}: 1`]],
    ["many headers in all", Array.from({ length: 200 }, (_, n) => `X-${n}: ${"x".repeat(100)}`)],
    ["more than 100 headers", Array.from({ length: 101 }, (_, n) => `X-${n}: 1`)],
  ])("%s: 431", async (_name, headers) => {
    const text = await exchange(head("POST /rpc HTTP/1.1", json, ...headers, "Content-Length: 2") + "{}");
    expect(text).toMatch(/^HTTP\/1\.1 431 Request Header Fields Too Large\r\n/);
    expect(text).toContain("Connection: close");
  });

  test("a long target: 431", async () => {
    expect(await exchange(head(`GET /${"x".repeat(17_000)} HTTP/1.1`))).toMatch(/^HTTP\/1\.1 431 /);
  });

  test("100 headers, or 15 KiB of them, are taken", async () => {
    const many = Array.from({ length: 97 }, (_, n) => `X-${n}: 1`);
    expect(await exchange(call("{}", `${many.join("\r\n")}\r\n`))).toContain('{"done":true}');
    expect(await exchange(call("{}", `X-Long: ${"x".repeat(15_000)}\r\n`))).toContain('{"done":true}');
  });

  test("trailers and chunk extensions are limited, too", async () => {
    const chunked = head("POST /rpc HTTP/1.1", json, "Transfer-Encoding: chunked");
    const trailers = await exchange(`${chunked}2\r\n{}\r\n0\r\nX-T: ${"x".repeat(20_000)}\r\n\r\n`);
    expect(trailers).toMatch(/HTTP\/1\.1 431 /);
    const extension = await exchange(`${chunked}2;a=${"x".repeat(20_000)}\r\n{}\r\n0\r\n\r\n`);
    expect(extension).toMatch(/HTTP\/1\.1 413 /);
  });
});

describe("unusual requests that are in order", () => {
  test.each([
    [
      "chunks",
      head("POST /rpc HTTP/1.1", json, "Transfer-Encoding: chunked") + "1\r\n{\r\n1\r\n}\r\n0\r\n\r\n",
    ],
    [
      "chunks with extension and trailer",
      head("POST /rpc HTTP/1.1", json, "Transfer-Encoding: chunked") + "2;a=b\r\n{}\r\n0\r\nX-T: 1\r\n\r\n",
    ],
    ["a target in absolute form", call("{}").replace("/rpc", "http://elsewhere.example/rpc")],
    ["a query", call("{}").replace("/rpc", "/rpc?x=1")],
    ["an Upgrade that is not offered", call("{}", "Connection: Upgrade\r\nUpgrade: h2c\r\n")],
    ["an empty line before the request", `\r\n${call("{}")}`],
  ])("%s", async (_name, bytes) => {
    expect(await exchange(bytes)).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*\{"done":true\}/);
  });

  test("HTTP/1.0 is answered and closed", async () => {
    const text = await exchange(call("{}").replace("HTTP/1.1", "HTTP/1.0"), Infinity);
    expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*Connection: close[^]*\{"done":true\}$/);
  });

  test.each([
    ["TRACE", head("TRACE /rpc HTTP/1.1"), "405 Method Not Allowed"],
    ["TRACE elsewhere", head("TRACE /x HTTP/1.1"), "404 Not Found"],
    ["a method of its own", head("PURGE /rpc HTTP/1.1"), "405 Method Not Allowed"],
    ["an asterisk", head("OPTIONS * HTTP/1.1"), "404 Not Found"],
    [
      "a coding before the chunks",
      head("POST /rpc HTTP/1.1", json, "Transfer-Encoding: gzip, chunked") + "2\r\n{}\r\n0\r\n\r\n",
      "501 Not Implemented",
    ],
    ["a version that is another protocol", call("{}").replace("HTTP/1.1", "HTTP/2.0"), "505 HTTP Version"],
    ["a version to come", call("{}").replace("HTTP/1.1", "HTTP/3.0"), "505 HTTP Version"],
    ["a minor version to come", call("{}").replace("HTTP/1.1", "HTTP/1.2"), "505 HTTP Version"],
    ["a version that is none", call("{}").replace("HTTP/1.1", "HTTP/1.x"), "400 Bad Request"],
    ["a version that is too long", call("{}").replace("HTTP/1.1", "HTTP/1.11"), "400 Bad Request"],
    ["an expectation that is unknown", call("{}", "Expect: coffee\r\n"), "417 Expectation Failed"],
    ["a target that is none", head("POST ://x HTTP/1.1"), "400 Bad Request"],
    ["a path with other letters", call("{}").replace("/rpc", "/RPC"), "404 Not Found"],
    ["a path climbed to", call("{}").replace("/rpc", "/x/../rpc"), "404 Not Found"],
  ])("%s is refused", async (_name, bytes, status) => {
    expect(await exchange(bytes)).toMatch(new RegExp(`^HTTP/1\\.1 ${status}`));
  });

  test("CONNECT is refused, and the connection closed", async () => {
    const text = await exchange(head("CONNECT bank.example:443 HTTP/1.1"), Infinity);
    expect(text).toMatch(/^HTTP\/1\.1 405 Method Not Allowed\r\nConnection: close\r\n/);
  });
});

describe("what a connection sends with an invalid request", () => {
  const chunked = head("POST /rpc HTTP/1.1", json, "Transfer-Encoding: chunked");
  test.each([
    ["no HTTP", "GARBAGE\r\n\r\n", "400"],
    ["a chunk that is none", `${chunked}0x2\r\n{}\r\n0\r\n\r\n`, "400"],
    ["too long a header", head("POST /rpc HTTP/1.1", `X: ${"x".repeat(17_000)}`), "431"],
    ["two lengths", head("POST /rpc HTTP/1.1", json, "Content-Length: 2", "Content-Length: 3"), "400"],
    ["CONNECT", head("CONNECT bank.example:443 HTTP/1.1"), "405"],
    ["an unknown expectation", call("{}", "Expect: coffee\r\n"), "417"],
    ["two expectations", call("{}", "Expect: 100-continue\r\nExpect: coffee\r\n"), "417"],
    ["two hosts, and a wait for leave to go on", call("{}", "Host: u\r\nExpect: 100-continue\r\n"), "400"],
  ])("calls before %s are answered before it is refused", async (_name, bytes, status) => {
    const held = heldPipeline();
    const { service } = await serve({ pipeline: held.pipeline });
    const { socket, received } = await dial(service.port);
    const closed = once(socket, "close");
    socket.write(call("{}") + call("{}") + bytes + call("{}"), "latin1");
    await until(() => held.waiting() === 2);
    // The answer to a health check on another connection: what came before it has been looked at.
    expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
    expect(received()).toBe("");
    held.release();
    await closed;
    expect(statusesOf(received())).toEqual(["200", "200", status]);
  });

  test("a call that comes with an Upgrade that is not offered closes the connection with its answer", async () => {
    const upgrade = call("{}", "Connection: Upgrade\r\nUpgrade: h2c\r\n");
    const text = await exchange(call("{}") + upgrade + call("{}"), Infinity);
    expect(statusesOf(text)).toEqual(["200", "200"]);
    expect(text.split("HTTP/1.1 ")[2]).toContain("\r\nConnection: close\r\n");
  });

  test("what follows an Upgrade that is not offered is not taken for a request from its middle on", async () => {
    const asked = heldPipeline();
    const { service } = await serve({ pipeline: asked.pipeline });
    const { socket, received } = await dial(service.port);
    const closed = once(socket, "close");
    const inner = call("{}");
    const outer = call(inner.padStart(inner.length + 10));
    socket.write(call("{}", "Connection: Upgrade\r\nUpgrade: h2c\r\n") + outer.slice(0, -inner.length));
    await until(() => asked.waiting() === 1);
    socket.write(inner);
    expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
    asked.release();
    await closed;
    expect(statusesOf(received())).toEqual(["200"]);
    expect(asked.waiting()).toBe(0);
  });
});

function statusesOf(text: string): readonly string[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status = ""]) => status);
}
