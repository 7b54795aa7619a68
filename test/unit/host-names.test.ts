import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { createHostCheck } from "../../runtime/transport/http/refusals.ts";
import { serve } from "../../runtime/transport/http/server.ts";
import { createService } from "../../runtime/index.ts";
import { rpcWebSocket } from "../../runtime/transport/websocket/index.ts";
import { trialHandlers } from "../rpc/handlers.ts";
import { interfaceWith } from "../rpc/interface.ts";

const check = (listening: string, names: readonly string[], host: string | undefined, url = "/"): boolean =>
  createHostCheck(listening, names)({ headers: host === undefined ? {} : { host }, url });

test.each([
  "localhost",
  "LOCALHOST:8081",
  "localhost.",
  "localhost.:80",
  "127.0.0.1",
  "127.0.0.1:65535",
  "127.1",
  "127.8.9.1",
  "[::1]:8081",
  "[0:0:0:0:0:0:0:1]",
  "[::ffff:127.0.0.1]",
])("a server on loopback takes requests for %s", (host) => {
  expect(check("127.0.0.1", [], host)).toBe(true);
  expect(check("::1", [], host)).toBe(true);
});

test.each([
  "evil.example",
  "evil.example:8081",
  "localhost.evil.example",
  "127.0.0.1.evil.example",
  "evil.example.",
  "localhost@evil.example",
  "evil.example@localhost",
  "localhost,evil.example",
  "localhost evil.example",
  "localhost/evil",
  "localhost:80:80",
  "10.0.0.7",
  "[::2]",
  "[::1",
  "::1",
  "0.0.0.0",
  "",
  ":8081",
  ".",
  "localhost..",
])("a server on loopback takes no requests for '%s'", (host) => {
  expect(check("127.0.0.1", [], host)).toBe(false);
});

test("names, addresses and all of them are taken as they are listened on", () => {
  expect(check("127.0.0.1", ["Ledger.Bank.example."], "ledger.bank.EXAMPLE:443")).toBe(true);
  expect(check("127.0.0.1", ["*"], "evil.example")).toBe(true);
  expect(check("10.0.0.7", [], "10.0.0.7:8080")).toBe(true);
  expect(check("10.0.0.7", [], "localhost")).toBe(false);
  expect(check("ledger.internal", [], "ledger.internal")).toBe(true);
  for (const all of ["0.0.0.0", "::"])
    for (const host of ["localhost", "10.0.0.7:1", "[fd00::1]"]) expect(check(all, [], host)).toBe(true);
  expect(check("0.0.0.0", [], "evil.example")).toBe(false);
});

test("the address of a target counts as much as the host beside it, and HTTP/1.0 may say none", () => {
  expect(check("127.0.0.1", [], "localhost", "http://evil.example/x")).toBe(false);
  expect(check("127.0.0.1", [], "evil.example", "http://localhost/x")).toBe(false);
  expect(check("127.0.0.1", [], "localhost", "http://LOCALHOST:8081/x")).toBe(true);
  expect(check("127.0.0.1", [], undefined)).toBe(true);
});

test("a name that was taken once says nothing of others", () => {
  const takes = createHostCheck("127.0.0.1", []);
  for (const [host, isTaken] of [
    ["localhost", true],
    ["evil.example", false],
    ["localhost", true],
  ] as const)
    expect(takes({ headers: { host }, url: "/" })).toBe(isTaken);
});

test("what is refused gets 421, and reaches no handler", async () => {
  const asked: string[] = [];
  const { url, close } = await serve(
    (request, response) => {
      asked.push(request.headers.host ?? "none");
      response.end("here");
    },
    { port: 0 },
  );
  onTestFinished(async () => void (await close(0)));
  const { port } = new URL(url);
  const answer = (bytes: string): Promise<string> =>
    new Promise((resolve, reject) => {
      let received = "";
      connect(Number(port), "127.0.0.1")
        .on("data", (chunk) => (received += chunk.toString()))
        .on("error", reject)
        .on("close", () => resolve(received))
        .end(bytes);
    });
  const refused = await answer("POST / HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 2\r\n\r\n{}");
  expect(refused).toMatch(/^HTTP\/1\.1 421 Misdirected Request\r\n/);
  expect(refused).toContain("This server takes no requests for this host name.");
  expect(await answer("GET / HTTP/1.1\r\nHost: evil.example\r\nExpect: 100-continue\r\n\r\n")).toMatch(
    /^HTTP\/1\.1 421 /,
  );
  expect(await answer("GET / HTTP/1.1\r\nConnection: close\r\n\r\n")).toMatch(/^HTTP\/1\.1 400 /);
  expect(asked).toEqual([]);
  expect(await answer("GET / HTTP/1.0\r\n\r\n")).toContain("here");
  expect(await answer("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")).toContain("here");
});

test("a WebSocket is opened for the server's own names, and refused with 421 for others", async () => {
  const endpoint = rpcWebSocket(createService(interfaceWith({}), trialHandlers().handlers));
  const { url, server, close } = await serve((_request, response) => void response.end(), { port: 0 });
  endpoint.attach(server);
  onTestFinished(async () => {
    await endpoint.close();
    await close(0);
  });
  const opening = (host: string): Promise<unknown> =>
    new Promise((resolve) => {
      const socket = new WebSocket(`${url.replace("http", "ws")}/rpc`, { headers: { host } });
      socket.on("open", () => {
        socket.terminate();
        resolve("open");
      });
      socket.on("unexpected-response", (_request, response) => {
        resolve(response.statusCode);
        socket.terminate();
      });
      socket.on("error", () => undefined);
    });
  expect(await opening("evil.example")).toBe(421);
  expect(await opening("evil.example:80")).toBe(421);
  expect(await opening("localhost")).toBe("open");
});
