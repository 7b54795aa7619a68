import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { buildConnector } from "undici";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  guardedConnector,
  type GuardedConnectorOptions,
  createConnectionPools,
  systemResolver,
} from "../../runtime/events/transport/connection-pools.ts";
import type { AttemptOutcome } from "../../runtime/events/model/attempt-outcome.ts";
import { createWebhookClient } from "../../runtime/events/transport/webhook-client.ts";
import { steppingClock } from "./delivery-harness.ts";

/** Connections that reached this machine's loopback addresses, on any of which the server listens. */
let connections: string[] = [];
let bytes = 0;
let port = 0;
let server: ReturnType<typeof createServer>;

beforeEach(async () => {
  connections = [];
  bytes = 0;
  const sockets = new Set<Socket>();
  server = createServer((socket) => {
    sockets.add(socket);
    connections.push(socket.localAddress ?? "");
    socket.on("error", () => undefined);
    socket.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      socket.end("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n");
    });
  });
  server.on("close", () => {
    for (const socket of sockets) socket.destroy();
  });
  server.listen(0, "::");
  await once(server, "listening");
  const address = server.address();
  port = isAddress(address) ? address.port : 0;
});
afterEach(() => server.close());

function isAddress(address: AddressInfo | string | null): address is AddressInfo {
  return typeof address === "object" && address !== null;
}

async function attempt(
  host: string,
  options: Partial<GuardedConnectorOptions> = {},
): Promise<AttemptOutcome> {
  const clock = steppingClock();
  const origins = createConnectionPools(clock, {
    resolver: { resolve: async () => ["127.0.0.1"] },
    networksAllowed: [],
    portsAllowed: [],
    connectTimeoutMs: 600_000,
    ...options,
  });
  const sender = createWebhookClient({ pools: origins, clock, timeoutMs: 15_000 });
  try {
    const { origin } = new URL(`http://${host}:${port}/`);
    return await sender.send({ origin, path: "/", headers: [], body: Buffer.from("secret") });
  } finally {
    await origins.close();
  }
}

const resolving = (...addresses: string[]): Partial<GuardedConnectorOptions> => ({
  resolver: { resolve: async () => addresses },
});

describe("an address that is written out (D-44)", () => {
  test.each([
    "127.0.0.1",
    "127.1",
    "127.0.1",
    "2130706433",
    "0x7f000001",
    "0x7f.1",
    "0177.0.0.1",
    "017700000001",
    "0",
    "0.0.0.0",
    "10.0.0.1",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "100.127.255.254",
    "198.18.0.1",
    "192.0.0.1",
    "192.0.2.1",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "239.255.255.255",
    "240.0.0.1",
    "255.255.255.255",
    "[::]",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::ffff:169.254.169.254]",
    "[::127.0.0.1]",
    "[64:ff9b::7f00:1]",
    "[64:ff9b::a9fe:a9fe]",
    "[64:ff9b:1::1]",
    "[2002:7f00:1::]",
    "[2002:a9fe:a9fe::1]",
    "[2001:0:4136:e378:8000:63bf:3fff:fdd2]",
    "[2001:db8::1]",
    "[100::1]",
    "[fc00::1]",
    "[fd12:3456:789a::1]",
    "[fe80::1]",
    "[fec0::1]",
    "[ff02::1]",
    "127.0.0.1.",
    "１２７．０．０．１",
    "127%2e1",
    "168.63.129.16",
    "[::ffff:0:7f00:1]",
    "[4000::1]",
  ])("%s is not dialled", async (host) => {
    expect(await attempt(host)).toMatchObject({ failure: "refused-address" });
    expect(connections).toEqual([]);
  });

  test("is dialled in a network that is configured", async () => {
    expect(await attempt("127.0.0.1", { networksAllowed: ["127.0.0.0/8"] })).toMatchObject({ status: 204 });
    expect(await attempt("[::1]", { networksAllowed: ["::1/128"] })).toMatchObject({ status: 204 });
    expect(await attempt("127.0.0.2", { networksAllowed: ["127.0.0.1/32"] })).toMatchObject({
      failure: "refused-address",
    });
    expect(connections).toEqual(["::ffff:127.0.0.1", "::1"]);
  });
});

describe("a name", () => {
  test.each([
    ["internal", ["127.0.0.1"]],
    ["mapped", ["::ffff:127.0.0.1"]],
    ["public first, internal second", ["93.184.215.14", "127.0.0.1"]],
    ["internal first, public second", ["::1", "93.184.215.14"]],
    ["metadata", ["169.254.169.254"]],
    ["nat64", ["64:ff9b::7f00:1"]],
  ])("that resolves to %s addresses is refused as a whole, with no byte sent", async (_name, addresses) => {
    expect(await attempt("hooks.example", resolving(...addresses))).toMatchObject({
      failure: "refused-address",
      detail: expect.stringContaining("hooks.example resolves to"),
    });
    expect([connections, bytes]).toEqual([[], 0]);
  });

  test("of this machine is refused, whatever its spelling", async () => {
    for (const name of ["localhost", "localhost.", "LOCALHOST", "a.localhost", "a.localhost."]) {
      expect(await attempt(name, { resolver: systemResolver() })).toMatchObject({
        failure: "refused-address",
      });
    }
    expect(connections).toEqual([]);
  });

  test("is resolved once for a connection; an answer that changes afterwards changes nothing", async () => {
    const asked: string[] = [];
    const answers = [["127.0.0.2"], ["127.0.0.3"], ["127.0.0.3"]];
    const resolver = {
      resolve: async (name: string) => {
        asked.push(name);
        return answers[asked.length - 1] ?? [];
      },
    };
    const networksAllowed = ["127.0.0.2/32"];
    expect(await attempt("hooks.example", { resolver, networksAllowed })).toMatchObject({ status: 204 });
    expect(asked).toEqual(["hooks.example"]);
    expect(connections).toEqual(["::ffff:127.0.0.2"]);
    // The next connection asks again, and is refused.
    expect(await attempt("hooks.example", { resolver, networksAllowed })).toMatchObject({
      failure: "refused-address",
    });
    expect(connections).toHaveLength(1);
  });

  test("with several addresses is tried at each of them", async () => {
    const both = { ...resolving("127.0.0.9", "127.0.0.2"), networksAllowed: ["127.0.0.0/8"] };
    expect(await attempt("hooks.example", both)).toMatchObject({ status: 204 });
  });

  test("without an address, or with what is no address, fails", async () => {
    expect(await attempt("hooks.example", resolving())).toHaveProperty("failure");
    expect(await attempt("hooks.example", resolving("nonsense"))).toMatchObject({
      failure: "refused-address",
    });
    const unknown = Object.assign(new Error("no such name"), { code: "ENOTFOUND" });
    const resolver = { resolve: () => Promise.reject(unknown) };
    expect(await attempt("hooks.example", { resolver })).toMatchObject({ failure: "name" });
    expect(connections).toEqual([]);
  });
});

describe("ports", () => {
  const loopback = { networksAllowed: ["127.0.0.0/8"] };

  test("can be limited", async () => {
    const refused = await attempt("127.0.0.1", { ...loopback, portsAllowed: [443, 8443] });
    expect(refused).toMatchObject({ failure: "refused-address", detail: `port ${port} is not allowed` });
    expect(connections).toEqual([]);
    expect(await attempt("127.0.0.1", { ...loopback, portsAllowed: [port] })).toMatchObject({ status: 204 });
  });

  test("that a scheme implies count as well", () => {
    const options = {
      resolver: { resolve: async () => ["127.0.0.1"] },
      networksAllowed: [],
      portsAllowed: [8443],
      connectTimeoutMs: 600_000,
    };
    const dial = guardedConnector(options, buildConnector);
    for (const [protocol, implied] of [
      ["http:", 80],
      ["https:", 443],
    ] as const) {
      const told: (Error | null)[] = [];
      dial({ protocol, hostname: "hooks.example", port: "" }, (...answer) => {
        told.push(answer[0]);
      });
      expect(told[0]?.message).toBe(`port ${implied} is not allowed`);
    }
  });
});

describe("the machine's resolver", () => {
  test("knows the machine's own name, and says when a name is unknown", async () => {
    const resolver = systemResolver();
    expect(await resolver.resolve("localhost")).toEqual(["127.0.0.1", "::1"]);
    await expect(resolver.resolve("no-such-name.invalid")).rejects.toThrow();
  });
});
