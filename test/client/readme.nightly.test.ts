import { execFileSync } from "node:child_process";
import { createPublicKey } from "node:crypto";
import { once } from "node:events";
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { buffer } from "node:stream/consumers";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ledgerInterface } from "../../generated/ledger/methods.ts";
import { LedgerClient } from "../../generated/ledger/client/index.ts";
import { OperatorClient } from "../../generated/operator/client/index.ts";
import { startServer, type RunningServer } from "../e2e/server.ts";
import { mailedOtp } from "./mailed-otp.ts";
import { createPackedProject, packClient, type PackedProject } from "./packed-project.ts";
import { givensModule, programOf, snippetsOf, withRealValues, type Snippet } from "./readme-snippets.ts";

const page = readFileSync(join(import.meta.dirname, "../../generated/ledger/client/README.md"), "utf8");
const snippets = snippetsOf(page);
const dataDir = mkdtempSync(join(tmpdir(), "ledger-readme-"));
let server: RunningServer;
let project: PackedProject;

interface Notification {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** What the running service posts to a subscriber when an account changes, and the subscriber's secret. */
async function delivered(): Promise<Notification & { readonly secret: string }> {
  const { baseUrl, operatorUrl, operator, samples, keyId, privateKeyPem, ...credential } = server.access;
  const posted = Promise.withResolvers<Notification>();
  const receiver = createServer(async (request, response) => {
    posted.resolve({ headers: request.headers, body: (await buffer(request)).toString() });
    response.writeHead(204).end();
  }).listen(0, "127.0.0.1");
  await once(receiver, "listening");
  const address = receiver.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const signer = { keyId, privateKey: privateKeyPem };
  const client = new LedgerClient({ baseUrl, credential, signer });
  const { subscriptionId } = await client.createSubscription({
    name: "page",
    callbackUrl: `http://127.0.0.1:${port}/`,
    events: ["Account.UPDATE"],
    groupId: [samples.accountNumber],
  });
  const { secret } = await new OperatorClient({
    baseUrl: operatorUrl,
    credential: operator,
    signer: { keyId: operator.keyId, privateKey: operator.privateKeyPem },
  }).getSubscriptionSecret({ subscriptionId });
  await client.account.updateStatus({ accountNumber: samples.accountNumber, status: "CURTAILED" });
  const notification = await posted.promise;
  receiver.close();
  return { ...notification, secret };
}

function writeProgram(snippet: Snippet, secret: string, more = ""): void {
  const program = programOf(snippet);
  // The fake service answers from the values that the page shows.
  const isFake = snippet.code.includes("/testing");
  project.write({
    [snippet.name]: (isFake ? program : withRealValues(program, server.access, secret)) + more,
  });
}

beforeAll(async () => {
  project = createPackedProject(packClient().tarball, "module");
  server = await startServer(dataDir);
  project.write({
    "private-key.pem": server.access.privateKeyPem,
    "givens.ts": withRealValues(givensModule, server.access, ""),
  });
});
afterAll(async () => {
  await server.stop();
  project.remove();
  rmSync(dataDir, { recursive: true });
});

describe("the front page", () => {
  const isWebhook = ({ code }: Snippet) => code.includes("/webhooks");
  const isRegistration = ({ code }: Snippet) => code.includes("registerSigner(");
  const others = snippets.filter((snippet) => !isWebhook(snippet) && !isRegistration(snippet));

  test("has commands that install the package and make a key that signs", () => {
    const folder = mkdtempSync(join(tmpdir(), "ledger-commands-"));
    copyFileSync(packClient().tarball, join(folder, `ledger-client-${ledgerInterface.revision}.tgz`));
    const commands = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, lines = ""]) => lines);
    expect(commands.length).toBeGreaterThan(1);
    const env = { ...process.env, npm_config_offline: "true", npm_config_audit: "false" };
    for (const lines of commands) {
      execFileSync("sh", ["-ec", lines], { cwd: folder, env, stdio: ["ignore", "ignore", "pipe"] });
    }
    const privateKey = readFileSync(join(folder, "private-key.pem"), "utf8");
    const signer = { keyId: "k", privateKey };
    const credential = { userName: "u", apiKey: "k" };
    expect(new LedgerClient({ baseUrl: "https://bank.example", credential, signer })).toBeDefined();
    const publicKey = createPublicKey(readFileSync(join(folder, "public-key.pem")));
    expect(createPublicKey(privateKey).equals(publicKey)).toBe(true);
    expect(existsSync(join(folder, "node_modules/ledger-client/index.js"))).toBe(true);
    rmSync(folder, { recursive: true });
  });

  test("registers a key that a device made", async () => {
    const snippet = snippets.find(isRegistration);
    if (snippet === undefined) throw new Error("no page about registration");
    const { operatorUrl, operator, userName } = server.access;
    const signer = { keyId: operator.keyId, privateKey: operator.privateKeyPem };
    const { OtpToken } = await new OperatorClient({
      baseUrl: operatorUrl,
      credential: operator,
      signer,
    }).startDeviceRegistration({ userName });
    const given = { otpToken: OtpToken, otp: await mailedOtp(dataDir), userName };
    const { accountId } = server.access.samples;
    const access = { ...server.access, samples: { ...server.access.samples, ...given } };
    const text = withRealValues(programOf(snippet), access, "");
    project.write({
      [snippet.name]: `${text}\nconsole.log((await device.account.get({ ID: "${accountId}" })).account.id);`,
    });
    expect(await project.run("node", snippet.name)).toBe(`${accountId}\n`);
  });

  test.each(others.map((snippet) => [snippet.name, snippet] as const))("%s runs", async (_, snippet) => {
    writeProgram(snippet, "");
    await project.run("node", snippet.name);
  });

  test("prints what it says it prints", async () => {
    const snippet = snippets.find(({ code }) => code.includes("money.add"));
    if (snippet === undefined) throw new Error("no page about money");
    const said = [...snippet.code.matchAll(/; \/\/ (.*)$/gm)].map(([, text]) => text);
    const printed = await project.run("node", snippet.name);
    expect(
      printed
        .replaceAll(/[[\]' ]/g, "")
        .split("\n")
        .slice(0, 3),
    ).toEqual(said.map((text) => text?.replaceAll(" ", "")));
  });

  test("receives what the service posts, and refuses what it does not", async () => {
    const snippet = snippets.find(isWebhook);
    if (snippet === undefined) throw new Error("no page about webhooks");
    const { secret, headers, body } = await delivered();
    const request = (text: string) =>
      `new Request("https://me.example", ${JSON.stringify({ method: "POST", headers, body: text })})`;
    writeProgram(
      snippet,
      secret,
      `for (const request of [${request(body)}, ${request(body.replace("Account.UPDATE", "Account.NEW"))}]) {
        console.log((await receive(request)).status);
      }`,
    );
    const printed = await project.run("node", snippet.name);
    expect(printed).toContain(server.access.samples.accountNumber);
    expect(printed.trim().split("\n").slice(-2)).toEqual(["204", "400"]);
  });

  test("is right to the compiler too", async () => {
    const compilerOptions = {
      module: "nodenext",
      target: "es2023",
      strict: true,
      noEmit: true,
      allowImportingTsExtensions: true,
      types: ["node"],
    };
    project.write({ "tsconfig.json": JSON.stringify({ compilerOptions, include: ["*.ts"] }) });
    expect(await project.run("tsc", "-p", ".")).toBe("");
  });
});
