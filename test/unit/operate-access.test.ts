import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { operatorClient } from "../../ledger/cli/operate/access.ts";
import { valueText } from "../../ledger/cli/operate/output.ts";

const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const identity = {
  userName: "operator",
  apiKey: "00112233445566778899aabbccddeeff",
  keyId: "01KAFZ6M1P3R5T7V9X1Z3B5D7F",
  privateKeyPem: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
};
const folder = mkdtempSync(join(tmpdir(), "operate-access-"));
const accessFile = join(folder, "operator.json");
writeFileSync(accessFile, JSON.stringify(identity));
afterAll(() => rmSync(folder, { recursive: true }));
const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

/** A process's operator port that says by a status whether it is ready, and keeps what it was asked. */
async function port(readiness: number): Promise<{ readonly url: string; readonly asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    response.writeHead(request.url === "/readyz" ? readiness : 200).end("{}");
  });
  servers.push(server);
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return { url: `http://127.0.0.1:${address.port}`, asked };
}

async function callOver(url: string): Promise<void> {
  const client = await operatorClient({ access: accessFile, url }, {});
  await client.call("ListCustomers", {}).catch(() => undefined);
}

describe("an operator's command with several addresses", () => {
  test("calls the first process that is ready, and none before it", async () => {
    const [ends, first, second] = [await port(503), await port(200), await port(200)];
    await callOver(`${ends.url}, ${first.url},${second.url}`);
    expect(ends.asked).toEqual(["/readyz"]);
    expect(first.asked).toEqual(["/readyz", "/jsonrpc"]);
    expect(second.asked).toEqual([]);
  });

  test("calls the last one where none is ready: its error says what is wrong", async () => {
    const [one, last] = [await port(503), await port(503)];
    await callOver(`${one.url},${last.url}`);
    expect([one.asked, last.asked]).toEqual([["/readyz"], ["/jsonrpc"]]);
  });

  test("asks nothing first where there is one address", async () => {
    const only = await port(200);
    await callOver(only.url);
    expect(only.asked).toEqual(["/jsonrpc"]);
  });

  test("refuses what is no address", async () => {
    await expect(callOver("127.0.0.1,http://127.0.0.1:1")).rejects.toThrow("127.0.0.1 is no address");
  });
});

test("one value of a result is found by its path, and a wrong path says what there is", () => {
  const result = { customers: [{ customerId: "01", credit: 2.5, contact: {} }] };
  expect(valueText(result, "customers.0.customerId")).toBe("01");
  expect(valueText(result, "customers.0.credit")).toBe("2.5");
  expect(valueText(result, "customers")).toBe('[{"customerId":"01","credit":2.5,"contact":{}}]');
  expect(() => valueText(result, "customers.0.id")).toThrow(
    "The result has no customers.0.id: there is no id. What there is: customerId, credit, contact.",
  );
  expect(() => valueText(result, "customers.1")).toThrow("What there is: 0.");
  expect(() => valueText(result, "customers.0.contact.email")).toThrow("What there is: none.");
});
