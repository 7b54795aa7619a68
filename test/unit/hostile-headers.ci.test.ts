import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { requestBytes } from "../transcripts/request-bytes.ts";
import { startService, type TestService } from "../transcripts/service.ts";

const services = new Map<string, TestService>();
const sockets = new Map<string, Socket>();
beforeAll(async () => {
  for (const variant of ["standard", "strict"]) {
    const service = await startService(variant);
    services.set(variant, service);
    sockets.set(variant, connect(service.port, "127.0.0.1"));
  }
});
afterAll(async () => {
  for (const socket of sockets.values()) socket.destroy();
  for (const service of services.values()) await service.close();
});

/** The whole answer to one request. All of them go over one connection: none may be a reason to end it. */
async function ask(variant: string, bytes: Buffer): Promise<string> {
  const socket = sockets.get(variant);
  if (socket === undefined) throw new Error(`no service is called ${variant}`);
  let received = "";
  const answered = Promise.withResolvers<string>();
  const read = (chunk: Buffer): void => {
    received += chunk.toString("latin1");
    const [head = "", body = ""] = received.split("\r\n\r\n", 2);
    const length = /^content-length: (\d+)\r?$/im.exec(head)?.[1];
    if (length !== undefined && body.length >= Number(length)) answered.resolve(received);
  };
  const end = (): void => answered.reject(new Error(`the connection was closed after ${received}`));
  socket.on("data", read).once("close", end);
  socket.write(bytes);
  return answered.promise.finally(() => socket.off("data", read).off("close", end));
}

const enveloped = `{"method":"AccountService.GetAccount","id":"1","params":{"api":<%api ana%>,"payload":<<{"ID":"account-1"}>>}}`;
const flat = `{"source":"CORE"}`;

function request(body: string, headers: Readonly<Record<string, string>>): Buffer {
  const all = { Host: "t", "Content-Type": "application/json", ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return requestBytes(`POST /jsonrpc HTTP/1.1\n${lines.join("\n")}\nContent-Length: <%length%>\n\n${body}`);
}

/** So long that a backtracking reader of any of these takes longer than the time of a test. */
const spaces = " ".repeat(12_000);
const fewSpaces = " ".repeat(4_000);
const commas = ",".repeat(12_000);
const quotes = '"'.repeat(12_000);
const hostileValues = [
  `keyId=${spaces}"`,
  `keyId="${spaces}`,
  `keyId=x${commas}`,
  `${fewSpaces}keyId${fewSpaces}=${fewSpaces}"`,
  `keyId=${quotes}`,
  `sig1=(${spaces}`,
  `sig1=("@method"${';a="b"'.repeat(600)}`,
  `sig1=:${"A".repeat(12_000)}`,
  `application/json${spaces}x`,
  `application/json;${fewSpaces}charset=utf-8${fewSpaces}x`,
  `Basic${spaces}=`,
  "a".repeat(12_000),
];

describe("a header of any content is answered at once, to strangers as to callers", () => {
  /** An envelope says itself who calls. */
  const bodies = [
    [enveloped, {}],
    [flat, {}],
    [flat, { Authorization: "<%credential ana%>" }],
  ] as const;
  /** The strict service reads no more of the others. */
  const signing = ["Signature", "Signature-Input", "Content-Digest"];
  for (const name of [
    ...signing,
    "Authorization",
    "Content-Type",
    "Content-Encoding",
    "X-Request-Id",
    "X-Interface-Revision",
    "Accept",
  ]) {
    test.each(signing.includes(name) ? ["standard", "strict"] : ["standard"])(
      `${name}, %s`,
      async (variant) => {
        for (const value of hostileValues) {
          for (const [body, headers] of bodies) {
            const received = await ask(variant, request(body, { ...headers, [name]: value }));
            expect(received).toMatch(/^HTTP\/1\.1 (200|415) /);
            expect(received).not.toContain("INTERNAL");
          }
        }
      },
    );
  }
});

describe("a Signature header of more than 1,024 characters is not read", () => {
  const fits = `keyId=key-ana,algorithm=ecdsa-sha256,signature=<%signature ana%>`;
  const tooLong = `${fits}${" ".repeat(1024)},`;

  test("a flat body then has no key, once its credential is known (D-05, D-06, D-22)", async () => {
    const signed = { Authorization: "<%credential ana%>" };
    expect(await ask("standard", request(flat, { ...signed, Signature: fits }))).toContain("source-1");
    const answer = await ask("standard", request(flat, { ...signed, Signature: tooLong }));
    expect(answer).toContain('"NOT_FOUND_USER_DEVICE"');
    expect(await ask("standard", request(flat, { Signature: tooLong }))).toContain('"BAD_CREDENTIAL"');
  });

  test("an envelope's signature then differs from it (D-23)", async () => {
    const answer = await ask("standard", request(enveloped, { Signature: tooLong }));
    expect(answer).toContain('"INVALID_SIGNATURE"');
    expect(answer).toContain('"headers-differ"');
  });
});
