import { spawn } from "node:child_process";
import { once } from "node:events";
import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { parse } from "yaml";
import { operatorHandlers } from "../../ledger/handlers/operator/index.ts";
import { commands, resources } from "../../ledger/cli/operate/commands.ts";
import { run } from "../../ledger/cli/program.ts";
import { contractClient } from "./contract-client.ts";
import { ledgerServerBeside } from "./ledger-server-beside.ts";
import { startReceiver } from "./receiver.ts";
import { startServer, type RunningServer } from "./server.ts";

const folder = mkdtempSync(join(tmpdir(), "ledger-operate-"));
let server: RunningServer;

beforeAll(async () => {
  server = await startServer(folder);
  const { operatorUrl: url, operator: identity } = server.access;
  writeFileSync(join(folder, "operator.yaml"), JSON.stringify({ url, ...identity }));
  vi.stubEnv("OPERATOR_ACCESS_FILE", join(folder, "operator.yaml"));
});

afterAll(async () => {
  vi.unstubAllEnvs();
  await server.stop();
  rmSync(folder, { recursive: true });
});

/** Runs `ledger-server …` in this process. */
async function ledgerServer(...args: readonly string[]) {
  const out: string[] = [];
  const err: string[] = [];
  const log = vi
    .spyOn(console, "log")
    .mockImplementation((text) => void out.push(stripVTControlCharacters(String(text))));
  const error = vi.spyOn(console, "error").mockImplementation((text) => void err.push(String(text)));
  const former = process.exitCode;
  process.exitCode = undefined;
  try {
    await run(["node", "ledger-server", ...args]);
    return { code: process.exitCode ?? 0, out: out.join("\n"), err: err.join("\n") };
  } finally {
    process.exitCode = former;
    log.mockRestore();
    error.mockRestore();
  }
}

/** The first line of `events tail`, which ends after it as by Ctrl-C. */
async function tailed(...args: readonly string[]): Promise<string> {
  const env = { ...process.env, LEDGER_DATA_DIR: folder };
  const child = spawn(process.execPath, ["ledger/cli/main.ts", "events", "tail", ...args], { env });
  const exited = once(child, "exit");
  const [line] = await Promise.race([once(child.stdout, "data"), once(child.stderr, "data")]);
  child.kill("SIGINT");
  expect(await exited).toEqual([0, null]);
  return stripVTControlCharacters(String(line));
}

async function resultOf(...args: readonly string[]) {
  const done = await ledgerServer(...args, "--json");
  expect(done, args.join(" ")).toMatchObject({ code: 0 });
  return JSON.parse(done.out);
}

// oxlint-disable-next-line typescript/no-explicit-any -- a result of the documented interface, read by hand
function deposit(account: any, accountNumber: string): object {
  return {
    type: "RTP_IN",
    mode: "PG",
    Status: "COMPLETED",
    CustomerId: account.customerID,
    TimeStamp: "2026-03-02T11:15:27.000-05:00",
    credit: true,
    InstructedAmount: { Amount: 980.4, Currency: "USD" },
    DebtorAccount: { AccountNumber: "4402317756", InstitutionId: "011000138" },
    CreditorAccount: { AccountNumber: accountNumber, InstitutionId: account.institutionID },
  };
}

test("a service shows from its start every series and label that the dashboard and the alerts read", async () => {
  expect(await ledgerServer("customers", "list")).toMatchObject({ code: 0 });
  const shown = await (await fetch(new URL("/metrics", server.access.operatorUrl))).text();
  const monitoring = join(import.meta.dirname, "../../deploy/monitoring");
  const { panels } = JSON.parse(readFileSync(join(monitoring, "dashboard.json"), "utf8"));
  const { groups } = parse(readFileSync(join(monitoring, "alerts.yaml"), "utf8"));
  const queries: readonly { expr: string }[] = [
    ...panels.flatMap((panel: { targets: readonly object[] }) => panel.targets),
    ...groups.flatMap((group: { rules: readonly object[] }) => group.rules),
  ];
  expect(queries.length).toBeGreaterThan(25);
  const added = ["instance", "job"];
  const missing = queries.flatMap(({ expr }) => {
    const labels = [...expr.matchAll(/by \(([^)]+)\)/g)].flatMap(([, list = ""]) => list.split(", "));
    const wanted = labels.filter((label) => !added.includes(label));
    const names = expr.match(/\b(?:ledger_rpc|nodejs|process)_\w+/g) ?? [];
    return names
      .filter((name) => !shown.split("\n").some((line) => isSeries(line, name, wanted)))
      .map((name) => `${name} by (${wanted.join(", ")}): ${expr}`);
  });
  expect(missing).toEqual([]);
});

function isSeries(line: string, name: string, labels: readonly string[]): boolean {
  return /^\w+/.exec(line)?.[0] === name && labels.every((label) => line.includes(`${label}="`));
}

describe("the operator's commands", () => {
  test("every method of the interface has one command, and every resource is described", () => {
    const methods = commands.map(({ method }) => method);
    expect(methods.toSorted()).toEqual(Object.keys(operatorHandlers).toSorted());
    expect(new Set(methods).size).toBe(methods.length);
    expect(new Set(commands.map(({ resource }) => resource))).toEqual(new Set(Object.keys(resources)));
  });

  test("a customer, its representative and a credential come from flags, files and arguments", async () => {
    const request = join(folder, "business.yaml");
    writeFileSync(request, "type: BUSINESS\nbusinessNameLegal: Harbor Foundry\n");
    const customer = await resultOf(
      "customers",
      "add",
      "--input",
      request,
      "--contact.email",
      "office@harbor.example",
    );
    expect(customer).toMatchObject({ type: "BUSINESS", status: "ACTIVE" });
    const { customerId } = customer;
    await resultOf(
      "legal-reps",
      "add",
      "--customer-id",
      customerId,
      "--name",
      "Ada Okafor",
      "--email",
      "ada@harbor.example",
    );
    const scopes = "AccountService.GetAccount,AccountService.ListAccounts";
    const issued = await resultOf(
      "credentials",
      "issue",
      "harbor-erp",
      "--email",
      "it@harbor.example",
      "--scopes",
      scopes,
      "--customer-ids",
      customerId,
    );
    expect(issued.apiKey).toMatch(/^[0-9a-f]{32}$/);
    const audit = await ledgerServer("audit", "list", "--subject", "user", "--subject-id", issued.userName);
    expect(audit.out).toMatch(/^sequence +changedDate +operation/);
    expect(audit.out).toContain("IssueCredential");
    expect(audit.out).not.toContain(issued.apiKey);
  });

  test("what cannot be undone needs --yes where no terminal can confirm it", async () => {
    const issued = await resultOf("credentials", "issue", "harbor-2", "--email", "it@harbor.example");
    const asked = await ledgerServer("credentials", "revoke", issued.userName);
    expect(asked).toMatchObject({ code: 2, out: "", err: expect.stringContaining("give --yes") });
    const revoked = await resultOf("credentials", "revoke", issued.userName, "--yes");
    expect(revoked.revokedApiKeyIds).toHaveLength(1);
  });

  test("a refused request names the code and the field, and ends with 1", async () => {
    const refused = await ledgerServer("credentials", "issue", "harbor-3", "--email", "nonsense");
    expect(refused).toMatchObject({ code: 1, err: expect.stringMatching(/^BAD_INPUT at \/email: /) });
  });

  test("pages end with how to go on, and --all shows all of them", async () => {
    const first = await ledgerServer("audit", "list", "--page-size", "2");
    expect(first.err).toMatch(/^There is more: --after [A-Za-z0-9_-]+, or --all$/);
    const all = await ledgerServer("audit", "list", "--page-size", "5", "--order", "OLDEST", "--all");
    expect(all.err).toBe("");
    expect(all.out.split("\n").length).toBeGreaterThan(10);
  });

  test("access that lacks something says what, and never prints a secret", async () => {
    const file = join(folder, "partial.yaml");
    writeFileSync(file, "userName: operator\napiKey: 00112233445566778899aabbccddeeff\n");
    const lacking = await ledgerServer("subscriptions", "list", "--access", file);
    expect(lacking).toMatchObject({
      code: 2,
      err: expect.stringContaining(`lacks url, keyId, privateKeyFile (${file})`),
    });
    expect(lacking.err).not.toContain("00112233445566778899aabbccddeeff");
  });

  test("a key's path in an access file begins at that file's folder", async () => {
    const { operatorUrl: url, operator } = server.access;
    const { privateKeyPem, ...identity } = operator;
    writeFileSync(join(folder, "key.pem"), privateKeyPem);
    const file = join(folder, "relative.yaml");
    writeFileSync(file, JSON.stringify({ url, ...identity, privateKeyFile: "key.pem" }));
    expect(await ledgerServer("customers", "list", "--access", file)).toMatchObject({ code: 0, err: "" });
  });

  test("an operator is added while the service runs, over SQLite too, and can call at once", async () => {
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    writeFileSync(join(folder, "second.pem"), privateKey.export({ type: "pkcs8", format: "pem" }));
    writeFileSync(join(folder, "second.pub"), publicKey.export({ type: "spki", format: "pem" }));
    const adding = [
      "operator",
      "--institution",
      "091311229",
      "--institution-name",
      "Bank",
      "--user",
      "second",
    ];
    const rest = ["--email", "second@bank.example", "--public-key", join(folder, "second.pub")];
    const added = await ledgerServerBeside([...adding, ...rest], folder);
    expect(added).toMatchObject({ code: 0, err: expect.stringContaining("shown this once") });
    const file = join(folder, "second.yaml");
    const address = `url: ${server.access.operatorUrl}\nprivateKeyFile: second.pem\n`;
    writeFileSync(file, `${added.out}${address}`);
    expect(await ledgerServer("customers", "list", "--access", file)).toMatchObject({ code: 0, err: "" });
    const again = await ledgerServerBeside([...adding, ...rest], folder);
    expect(again).toMatchObject({ code: 1, err: expect.stringContaining("There is a user second already") });
  });

  test("an operator that could not call, or whose institution has no name, is not added", async () => {
    const key = ["--public-key", join(folder, "second.pub")];
    const add = (institution: string, user: string, email: string, ...more: readonly string[]) =>
      ledgerServerBeside(
        ["operator", "--institution", institution, "--user", user, "--email", email, ...key, ...more],
        folder,
      );
    expect(await add("091311229", "a:b", "third@bank.example")).toMatchObject({
      code: 1,
      err: expect.stringContaining("'a:b' is no user name"),
    });
    expect(await add("091311229", "third", "third")).toMatchObject({
      code: 1,
      err: expect.stringContaining("'third' is no email address"),
    });
    expect(await add("000000000", "third", "third@bank.example")).toMatchObject({
      code: 1,
      err: expect.stringContaining("000000000 is new: give its name"),
    });
    expect(await add("091311229", "third", "third@bank.example")).toMatchObject({ code: 0 });
  });

  test("the socket of commands is its owner's alone, and survives what is no request", async () => {
    const path = join(folder, "ledger.sqlite.socket");
    expect(statSync(path).mode & 0o777).toBe(0o600);
    for (const [sent, error] of [
      ["nonsense", "is not valid JSON"],
      ["{}", "kind is missing"],
      ["x".repeat(100_000), "too long"],
    ] as const) {
      const socket = connect({ path, allowHalfOpen: true });
      socket.end(sent);
      expect(await text(socket)).toContain(error);
    }
  });

  test("a refused filter is said with its place and what may stand there", async () => {
    const refused = await ledgerServer("accounts", "list", "--filter", "status = NOPE");
    expect(refused).toMatchObject({
      code: 1,
      err: expect.stringContaining("at column 10: status is one of CREATED, ACTIVE"),
    });
  });

  test("a file that is not there is said in words, and nothing was called", async () => {
    const away = await ledgerServer("customers", "add", "--input", "away.yaml");
    expect(away).toMatchObject({ code: 2, err: "away.yaml cannot be read: it does not exist." });
  });

  test("one command says why a webhook did not arrive and what to do", async () => {
    const receiver = await startReceiver((_request, response) => response.writeHead(503).end("closed"));
    const client = contractClient(server.access.baseUrl, server.access);
    try {
      const made = await client.flat({
        name: "Treasury",
        callbackUrl: receiver.url,
        events: ["Transaction.NEW"],
        groupId: [server.access.samples.accountNumber],
      });
      const subscriptionId = String(made["subscriptionId"]);
      const { samples } = server.access;
      const { result } = await client.call("AccountService.GetAccount", { ID: samples.accountId });
      const file = join(folder, "deposit.json");
      writeFileSync(file, JSON.stringify(deposit(result?.["account"], samples.accountNumber)));
      await resultOf("transactions", "record", "--input", file, "--reference-id", "WHY-1");
      const listed = await ledgerServer("transactions", "list", samples.accountNumber);
      expect(listed.out).toMatch(/WHY-1 +2026-03-02T11:15:27-05:00 +RTP_IN +PG +COMPLETED/);
      await receiver.until(1);
      const { deliveries } = await resultOf("deliveries", "list", "--subscription-id", subscriptionId);
      const { deliveryId } = deliveries[0];
      const why = async () => (await ledgerServer("deliveries", "why", deliveryId)).out;
      await expect.poll(why).toContain("failed: the receiver answered with an error (HTTP 503)");
      expect(await why()).toContain(`ledger-server deliveries resend ${deliveryId}`);
      const before = receiver.received.length;
      await resultOf("deliveries", "resend", deliveryId);
      await receiver.until(before + 1);
      expect(await tailed("--since", "1h", "--filter", `subscription=${subscriptionId}`)).toContain(
        "status: 503 Service Unavailable",
      );
      await resultOf("subscriptions", "update", subscriptionId, "--enabled", "false");
      const held = await ledgerServer("deliveries", "why", deliveryId);
      expect(held.out).toContain("not enabled since");
      expect(held.out).toContain(": an operator disabled it.");
    } finally {
      client.close();
      await receiver.close();
    }
  });

  test("a service that does not answer is said", async () => {
    const away = await ledgerServer("subscriptions", "list", "--url", "http://127.0.0.1:1");
    expect(away).toMatchObject({
      code: 1,
      err: expect.stringContaining("/jsonrpc. Is the service running?"),
    });
  });
});
