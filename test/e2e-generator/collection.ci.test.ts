import { createPublicKey, generateKeyPairSync, verify } from "node:crypto";
import { cpSync, existsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { blockOf, runBruno, runPostman, type Outgoing } from "./collection-programs.ts";
import { modelOf } from "../vectors/models.ts";
import { createProject, repository, type Project } from "./project.ts";

const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const publicKey = createPublicKey(privateKey);
/** SEC 1, as openssl writes it: an environment has it as PKCS #8. */
const privateKeyPem = privateKey.export({ format: "pem", type: "sec1" });
const caller = { userName: "dörte", apiKey: "secret-api-key", keyId: "key-1", privateKeyPem };
const oneTimePassword = [
  ["otpToken", "5f0c8a1e94d24b7fb1d36a0e72c9583d"],
  ["otp", "481205"],
] as const;
const samples = Object.fromEntries(
  [
    "accountId accountNumber businessCustomerId consumerCustomerId legalRepId shareHolderId",
    "beneficiaryId referenceId source sourceId accountCategory userName",
  ]
    .flatMap((names) => names.split(" "))
    .map((name) => [name, name === "accountId" ? "A-1" : `the ${name}`]),
);
const baseUrl = "http://127.0.0.1:8080/jsonrpc";

let project: Project;
beforeAll(() => {
  project = createProject();
  // Without what only the conformance suite is made of. Resources name operations that scenarios call.
  const filter = (path: string): boolean => !path.endsWith("/requirements.yaml");
  cpSync(join(repository, "spec/ledger"), join(project.root, "spec/ledger"), { recursive: true, filter });
  project.write(
    "ledger-rpc.yaml",
    "specs:\n  - { spec: spec/ledger, out: generated/ledger }\ntargets: [client]\n",
  );
  project.write("access.json", JSON.stringify({ ...caller, baseUrl, samples }));
});
afterAll(() => project.dispose());

const Item = z.object({
  name: z.string(),
  request: z.object({
    header: z.array(z.object({ key: z.string(), value: z.string() })),
    body: z.object({ raw: z.string() }),
  }),
});
const Collection = z.object({
  item: z.array(z.union([Item, z.object({ name: z.string(), item: z.array(Item) })])),
  event: z.array(z.object({ listen: z.string(), script: z.object({ exec: z.array(z.string()) }) })),
});
const Environment = z.object({
  values: z.array(z.object({ key: z.string(), value: z.string(), type: z.string() })),
});
const Sent = z.object({
  params: z.object({ api: z.record(z.string(), z.string()), payload: z.unknown() }),
});

const { methods, revision } = modelOf("spec/ledger");
/** A request for each form of each operation. */
const requestsMade = methods
  .map(({ payload }) => (payload.kind === "forms" ? payload.forms.length : 1))
  .reduce((sum, count) => sum + count, 0);

describe("ledger-rpc collection", () => {
  test("postman: a request for each form of each operation, which the script signs", async () => {
    const run = await project.run(["collection", "postman", "--access", "access.json"]);
    expect([run.exitCode, run.stdout]).toEqual([0, "ledger: 2 files in collections/postman/ledger\n"]);
    const folder = "collections/postman/ledger";
    const { item, event } = Collection.parse(
      JSON.parse(project.read(`${folder}/ledger.postman_collection.json`)),
    );
    const items = item.flatMap((each) => ("item" in each ? each.item : [each]));
    expect(items).toHaveLength(requestsMade);
    const environmentFile = `${folder}/ledger.postman_environment.json`;
    const { values } = Environment.parse(JSON.parse(project.read(environmentFile)));
    expect(statSync(join(project.root, environmentFile)).mode & 0o777).toBe(0o600);
    expect(values.filter(({ type }) => type === "secret").map(({ key }) => key)).toEqual([
      "apiKey",
      "privateKey",
    ]);

    const script = event
      .filter(({ listen }) => listen === "prerequest")
      .flatMap((each) => each.script.exec)
      .join("\n");
    const given = new Map(values.map(({ key, value }) => [key, value]));
    expect(given.get("callbackUrl")).toBe("https://hooks.northwind.example/ledger");
    for (const { name, request } of items) {
      const outgoing = {
        body: request.body.raw,
        headers: new Map(request.header.map(({ key, value }) => [key, value])),
      };
      if (name === "KeyService.CompleteRegisterDevice")
        expect(runPostman(script, outgoing, given, name)).toEqual(notSent(name));
      expect(runPostman(script, outgoing, new Map([...given, ...oneTimePassword]), name)).toEqual([]);
      checkSigned(name, outgoing);
      expect(outgoing.headers.get("X-Interface-Revision"), name).toBe(revision);
    }
  });

  test("leaves objects in their first state, so that the requests that follow find them in use", async () => {
    expect((await project.run(["collection", "bruno", "--out", "states"])).exitCode).toBe(0);
    for (const path of [
      "AccountService/AccountService.UpdateAccountStatus",
      "CustomerService/CustomerService.UpdateLegalRepStatus",
    ])
      expect(project.read(`states/bruno/ledger/${path}.bru`)).toMatch(/"[Ss]tatus": "ACTIVE"/);
  });

  test("tells an answer that holds an error", async () => {
    await project.run(["collection", "postman"]);
    await project.run(["collection", "bruno"]);
    const { event } = Collection.parse(
      JSON.parse(project.read("collections/postman/ledger/ledger.postman_collection.json")),
    );
    const postman = event.find(({ listen }) => listen === "test")?.script.exec.join("\n") ?? "";
    const bruno = blockOf(project.read("collections/bruno/ledger/collection.bru"), "tests");
    for (const [body, isRight] of [
      ['{"id":"1","result":{}}', true],
      ['{"id":"1","error":{"code":"CONFLICT"}}', false],
      ["", true],
    ] as const) {
      expect(isTaken(postman, body), body).toBe(isRight);
      expect(isTaken(bruno, body), body).toBe(isRight);
    }
  });

  test("bruno: the same, in its own files", async () => {
    expect((await project.run(["collection", "bruno", "--access", "access.json"])).exitCode).toBe(0);
    const folder = "collections/bruno/ledger";
    const values = new Map(
      project
        .read(`${folder}/environments/sandbox.bru`)
        .split("\n")
        .flatMap((line) =>
          /^ {2}\w+: /.test(line)
            ? [[line.slice(2, line.indexOf(":")), line.slice(line.indexOf(":") + 2)] as const]
            : [],
        ),
    );
    const script = blockOf(project.read(`${folder}/collection.bru`), "script:pre-request");
    const files = [...project.state().keys()].filter(
      (path) => path.startsWith(`${folder}/`) && path.endsWith(".bru"),
    );
    const requests = files.filter((path) => project.read(path).startsWith("meta {"));
    expect(requests).toHaveLength(requestsMade);
    for (const path of requests) {
      const text = project.read(path);
      const headers = blockOf(text, "headers")
        .split("\n")
        .map((line) => line.split(": "));
      const outgoing = {
        body: blockOf(text, "body:json"),
        headers: new Map(headers.map(([key = "", value = ""]) => [key, value])),
      };
      if (path.includes("CompleteRegisterDevice"))
        expect(runBruno(script, outgoing, values)).toEqual(notSent("KeyService.CompleteRegisterDevice"));
      expect(runBruno(script, outgoing, new Map([...values, ...oneTimePassword]))).toEqual([]);
      checkSigned(path, outgoing);
    }
  });

  test("puts no secrets into the collection, and takes no file for its own that it did not write", async () => {
    expect((await project.run(["collection", "postman", "--out", "plain"])).exitCode).toBe(0);
    expect(existsSync(join(project.root, "plain/postman/ledger/ledger.postman_environment.json"))).toBe(
      false,
    );
    const named = join(project.root, "named");
    const withAccess = await project.run([
      "collection",
      "postman",
      "--out",
      named,
      "--access",
      "access.json",
    ]);
    expect(withAccess.exitCode).toBe(0);
    expect(project.read("named/postman/ledger/ledger.postman_collection.json")).not.toContain(caller.apiKey);
    writeFileSync(join(project.root, "plain/postman/ledger/ledger.postman_environment.json"), "mine");
    const run = await project.run(["collection", "postman", "--out", "plain", "--access", "access.json"]);
    expect(run.exitCode).toBe(1);
    expect(run.stderr).toContain("was not written by this command");
    expect(run.stderr + run.stdout).not.toContain(caller.apiKey);
  });
});

/** Holds the signature to the bytes that are sent. */
function checkSigned(name: string, { body, headers }: Outgoing): void {
  const credential = `Basic ${Buffer.from(`${caller.userName}:${caller.apiKey}`).toString("base64")}`;
  const flat = /^keyId=key-1,algorithm=ecdsa-sha256,signature=(.+)$/.exec(headers.get("Signature") ?? "");
  if (flat !== null) {
    expect(headers.get("Authorization")).toBe(credential);
    expect(isSignatureOf(body, flat[1] ?? ""), name).toBe(true);
    return;
  }
  const { api, payload } = Sent.parse(JSON.parse(body)).params;
  expect(api).toMatchObject({ credential, keyId: "key-1" });
  const text = JSON.stringify(payload);
  expect(body).toContain(`"payload":${text}`);
  expect(isSignatureOf(text, api["signature"] ?? ""), name).toBe(true);
  if (name === "AccountService.GetAccount") expect(payload).toEqual({ ID: "A-1" });
}

function isSignatureOf(text: string, signature: string): boolean {
  const bytes = Buffer.from(signature, "base64");
  const dsaEncoding = bytes.length === 64 ? "ieee-p1363" : "der";
  return verify("sha256", Buffer.from(text), { key: publicKey, dsaEncoding }, bytes);
}

/** The output for a request that lacks a variable and is not sent. */
const notSent = (name: string): readonly string[] => [
  `${name} is not sent: the variable otpToken has no value.`,
  "skipped",
];

/** Whether the test of a collection lets an answer pass, in the program that it is written for. */
function isTaken(script: string, body: string): boolean {
  let passed = true;
  const test = (_: string, run: () => void) => run();
  const check = (actual: unknown) => ({ to: { equal: (wanted: unknown) => (passed = actual === wanted) } });
  const pm = { test, expect: check, response: { text: () => body } };
  const res = { getBody: (): unknown => (body === "" ? body : JSON.parse(body)) };
  runInNewContext(script, { pm, test, expect: check, res });
  return passed;
}
