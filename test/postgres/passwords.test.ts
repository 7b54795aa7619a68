import { createServer, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { openStore } from "../bank-stores.ts";
import { optionsUnderTest } from "../store-contract/openers.ts";

const password = "cleartext-or-hash";
const cleartext = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3]);
const md5 = Buffer.from([0x52, 0, 0, 0, 12, 0, 0, 0, 5, 1, 2, 3, 4]);
const scram = Buffer.from("R\0\0\0\x17\0\0\0\x0aSCRAM-SHA-256\0\0", "latin1");

test.each([
  ["in clear", cleartext],
  ["as an MD5 hash", md5],
])("a server without TLS that asks for the password %s gets none", async (_name, request) => {
  const { url, messages, ended } = await impostor(request);
  await expect(openStore(url, optionsUnderTest)).rejects.toThrow("it was not sent");
  expect(messages.filter((type) => type === "p")).toEqual([]);
  // The impostor waits for ever: this side ends the connection, or no command would.
  await ended;
});

test("a server without TLS that asks for SCRAM gets the first message of SCRAM", async () => {
  const { url, messages, received } = await impostor(scram);
  await expect(openStore(url, optionsUnderTest)).rejects.toThrow();
  expect(messages).toContain("p");
  expect(received()).not.toContain(password);
});

test("a server whose message no driver can read fails the connection, and ends no process", async () => {
  const kerberos = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 2]);
  const { url } = await impostor(kerberos);
  await expect(openStore(url, optionsUnderTest)).rejects.toThrow();
});

/** Answers the start of a connection by a request, and ends it after the answer to that. */
async function impostor(request: Buffer) {
  const messages: string[] = [];
  const chunks: Buffer[] = [];
  const sockets = new Set<Socket>();
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => end());
    let started = false;
    socket.on("error", () => undefined);
    socket.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      if (started) {
        messages.push(String.fromCharCode(chunk[0] ?? 0));
        socket.destroy();
        return;
      }
      started = true;
      socket.write(request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `postgres://ledger:${password}@127.0.0.1:${port}/ledger`,
    messages,
    ended,
    received: () => Buffer.concat(chunks).toString("latin1"),
  };
}
