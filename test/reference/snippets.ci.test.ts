import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { partOf } from "../../generator/protocols/parts.ts";
import { OperatorClient } from "../../generated/operator/client/index.ts";
import { contractClient } from "../e2e/contract-client.ts";
import { startReceiver } from "../e2e/receiver.ts";
import { startServer, type RunningServer } from "../e2e/server.ts";
import { modelOf } from "../vectors/models.ts";

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "snippets-"));
const model = modelOf("spec/ledger");
const snippets = partOf(model, "reference").programs(model);
/** What shows whether this machine has what a program needs. */
const probes: Readonly<Record<string, readonly string[]>> = {
  curl: ["sh", "-c", "command -v curl openssl base64"],
  typescript: [process.execPath, "--version"],
  python: ["python3", "-c", "import cryptography"],
  java: ["java", "--version"],
  go: ["go", "version"],
};
let server: RunningServer;

beforeAll(async () => {
  server = await startServer(join(folder, "data"));
  writeFileSync(join(folder, "key.pem"), server.access.privateKeyPem, { mode: 0o600 });
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

describe("the programs of the reference, against the real service", () => {
  test.for(snippets)("$language makes a signed call", async ({ id, command, text }, { skip }) => {
    const [probe = "", ...options] = probes[id] ?? [];
    const isThere = await run(probe, options).then(
      () => true,
      () => false,
    );
    if (!isThere) skip(`this machine cannot run ${command}`);
    expect(text).toMatch(new RegExp(`X-Interface-Revision\\W+${RegExp.escape(model.revision)}`));
    const [program = "", ...words] = command.split(" ");
    const file = words.at(-1) ?? "";
    writeFileSync(join(folder, file), text);
    const { access } = server;
    const env = {
      PATH: process.env["PATH"],
      HOME: folder,
      BASE_URL: access.baseUrl,
      USER_NAME: access.userName,
      API_KEY: access.apiKey,
      KEY_ID: access.keyId,
      KEY_FILE: join(folder, "key.pem"),
    };
    const { stdout } = await run(program === "node" ? process.execPath : program, words, {
      cwd: folder,
      env,
    });
    expect(JSON.parse(stdout)).toMatchObject({ result: expect.anything() });
  });
});

describe("the programs of the reference that receive", () => {
  const plain = { typescript: [process.execPath, "--version"], python: ["python3", "--version"] } as const;

  test.for(partOf(modelOf("spec/ledger"), "reference").receivers())(
    "$language takes a notification of the service, and not a changed one",
    async ({ id, command, text }, { skip }) => {
      const [probe = "", ...options] = id === "python" ? plain.python : plain.typescript;
      if ((await run(probe, options).catch(() => "missing")) === "missing")
        skip(`this machine cannot run ${command}`);
      const { notification, secret } = await notified();
      const file = command.split(" ").at(-1) ?? "";
      writeFileSync(join(folder, file), text);
      const env = { PATH: process.env["PATH"], SECRET: secret, PORT: "0" };
      const child = spawn(id === "python" ? "python3" : process.execPath, [file], { cwd: folder, env });
      try {
        const [said] = await once(child.stdout, "data");
        const port = /(\d{4,5})\D*$/.exec(String(said))?.[1] ?? "";
        const statusOf = async (headers: Readonly<Record<string, string>>, body: string) =>
          (await fetch(`http://127.0.0.1:${port}/`, { method: "POST", headers, body })).status;
        const { headers, body } = notification;
        const [webhookId, time, signature] = ["id", "timestamp", "signature"].map(
          (name) => headers[`webhook-${name}`] ?? "",
        );
        const sent = {
          "webhook-id": webhookId ?? "",
          "webhook-timestamp": time ?? "",
          "webhook-signature": signature ?? "",
        };
        expect(await statusOf(sent, body)).toBe(204);
        expect(await statusOf(sent, body.replace("ACTIVE", "CLOSED").replace("SUSPENDED", "ACTIVE"))).toBe(
          400,
        );
        expect(await statusOf({ ...sent, "webhook-timestamp": "1000" }, body)).toBe(400);
      } finally {
        child.kill();
        await once(child, "exit");
      }
    },
  );

  /** A notification as the service posts it, and the secret of its subscription. */
  async function notified() {
    const { access } = server;
    const { operator, operatorUrl: baseUrl, samples } = access;
    const receiver = await startReceiver();
    const client = contractClient(access.baseUrl, access);
    const { subscriptionId } = await client.flat({
      name: "Programs",
      callbackUrl: receiver.url,
      events: ["Account.UPDATE"],
      groupId: [samples.accountNumber],
    });
    const change = (status: string) =>
      client.call("AccountService.UpdateAccountStatus", { accountNumber: samples.accountNumber, status });
    await change("SUSPENDED");
    await change("ACTIVE");
    const [notification] = await receiver.until(1);
    const signer = { keyId: operator.keyId, privateKey: operator.privateKeyPem };
    const { secret } = await new OperatorClient({
      baseUrl,
      credential: operator,
      signer,
    }).getSubscriptionSecret({
      subscriptionId: String(subscriptionId),
    });
    client.close();
    await receiver.close();
    if (notification === undefined) throw new Error("nothing was posted");
    return { notification, secret };
  }
});
