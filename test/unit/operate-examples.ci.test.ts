import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { Command } from "commander";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { commands, type OperatorCommand } from "../../ledger/cli/operate/commands.ts";
import { describedInterface } from "../../ledger/cli/operate/interface.ts";
import { addVerbs } from "../../ledger/cli/operate/program.ts";
import { run } from "../../ledger/cli/program.ts";

const described = describedInterface();
const folder = mkdtempSync(join(tmpdir(), "operate-examples-"));
const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });

/** The requests that commands send, newest last. */
const sent: { readonly params: { readonly payload: object } }[] = [];
const server = createServer((request, response) => {
  void refuse(request, response);
});

async function refuse(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = Object(await json(request));
  sent.push(body);
  response.end(JSON.stringify({ jsonrpc: "2.0", id: body.id, error: { code: "CONFLICT" } }));
}

beforeAll(async () => {
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  const { port }: Pick<AddressInfo, "port"> =
    typeof address === "object" && address !== null ? address : { port: 0 };
  writeFileSync(join(folder, "operator.pem"), privateKey.export({ format: "pem", type: "pkcs8" }));
  vi.stubEnv("OPERATOR_URL", `http://127.0.0.1:${port}`);
  vi.stubEnv("OPERATOR_USER_NAME", "operator");
  vi.stubEnv("OPERATOR_API_KEY", "00112233445566778899aabbccddeeff");
  vi.stubEnv("OPERATOR_KEY_ID", "01KAFZ6M1P3R5T7V9X1Z3B5D7F");
  vi.stubEnv("OPERATOR_PRIVATE_KEY_FILE", join(folder, "operator.pem"));
});

beforeEach(() => {
  sent.length = 0;
});

afterAll(async () => {
  vi.unstubAllEnvs();
  server.close();
  await once(server, "close");
  rmSync(folder, { recursive: true });
});

/** The errors that a command prints, and its exit code. */
async function failed(args: readonly string[]): Promise<{ readonly code: unknown; readonly text: string }> {
  const lines: string[] = [];
  const error = vi.spyOn(console, "error").mockImplementation((text) => void lines.push(String(text)));
  const former = process.exitCode;
  process.exitCode = undefined;
  try {
    await run(["node", "ledger-server", ...args]);
    return { code: process.exitCode, text: lines.join("\n") };
  } finally {
    process.exitCode = former;
    error.mockRestore();
  }
}

/** The words of the example that the help of a command ends with, as a shell reads them. */
function exampleIn({ resource, verb }: OperatorCommand): readonly string[] {
  let help = "";
  const group = new Command(resource);
  addVerbs(group, resource);
  const command = group.commands.find((each) => each.name() === verb);
  command?.configureOutput({ writeOut: (text) => void (help += text) }).outputHelp();
  const [, text = ""] = /\nExample:\n([^]*?)\n\n/.exec(help) ?? [];
  const words = text.replaceAll("\\\n", "").matchAll(/'([^']*)'|(\S+)/g);
  return [...words].map(([, quoted, bare]) => quoted ?? bare ?? "");
}

/** The request of the document's first example; of its lists of objects the first one. */
function documented({ method }: OperatorCommand): object {
  const members = Object.entries(described.method(method).example).map(([name, value]) => {
    const isList = Array.isArray(value) && typeof value[0] === "object";
    return [name, isList ? value.slice(0, 1) : value];
  });
  return Object.fromEntries(members);
}

test.each(commands)("the example of $resource $verb sends what the document shows", async (row) => {
  const example = documented(row);
  if ("PublicKey" in example) writeFileSync(join(folder, "key.pub"), String(example.PublicKey));
  const [program, ...args] = exampleIn(row).map((word) => (word === "key.pub" ? join(folder, word) : word));
  expect(program).toBe("ledger-server");
  expect(await failed(row.confirm === undefined ? args : [...args, "--yes"])).toMatchObject({ code: 1 });
  expect(sent).toHaveLength(1);
  expect(example).toMatchObject(sent[0]?.params.payload ?? { sent: "nothing" });
});

test.each(commands.filter((row) => exampleIn(row).length > 3 && row.verb !== "list"))(
  "$resource $verb without its request says what it needs, and connects to nothing",
  async (row) => {
    const { code, text } = await failed([row.resource, row.verb]);
    expect(code).toBe(2);
    expect(text).toMatch(new RegExp(`^ledger-server ${row.resource} ${row.verb} needs`));
    expect(text).toContain(`\nFor example:\n  ledger-server ${row.resource} ${row.verb} `);
    expect(sent).toEqual([]);
  },
);

test("what is missing is listed as the command line takes it, also what a value of another field makes necessary", async () => {
  expect((await failed(["accounts", "show"])).text).toMatch(/ needs <accountNumber>$/m);
  expect((await failed(["customers", "add", "--type", "BUSINESS"])).text).toMatch(
    / needs --business-name-legal <string>$/m,
  );
  const shareholder = [
    "shareholders",
    "add",
    "--customer-id",
    "1",
    "--name",
    "Ada",
    "--contact.phone-number",
    "+1",
  ];
  expect((await failed(shareholder)).text).toMatch(
    / needs:\n {2}--identification.type <SSN>\n {2}--identification.value <string>\n {2}--address.country /,
  );
  const inList = ["sources", "add", "CORE", "--events", '[{"name":"Account.NEW"}]'];
  expect((await failed(inList)).text).toMatch(/ needs events\.0\.description$/m);
  expect(sent).toEqual([]);
});
