import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Access, RunReport } from "../../conformance/index.ts";
import { conform } from "./patient.ts";
import { readStandardAccess } from "../../conformance/request/standard-access.ts";
import type { SchemeVerifier } from "../../runtime/auth/port.ts";
import { rpcHandler } from "../../runtime/transport/http/endpoint.ts";
import { startService } from "../../runtime/service/index.ts";
import { describedBy } from "./standard/describe.ts";
import { started } from "./standard/service.ts";

const folder = mkdtempSync(join(tmpdir(), "own-scheme-"));
const file = join(folder, "access.json");
const described = describedBy(`interface:
  name: desks
  wire: { protocol: json-rpc-2.0 }
  schemes: { user: { kind: x-desk, opens: 0, closes: 24 } }
  security: [{ user: [] }]
methods:
  whoami: { payload: { fields: [] } }
`);

/** The scheme of docs/authentication.md: what verifies it, and what its callers send, in one file. */
let user: SchemeVerifier;
beforeAll(async () => {
  const guide = readFileSync(join(import.meta.dirname, "../../docs/authentication.md"), "utf8");
  const [, section = ""] = guide.split("## A scheme of your own");
  const [, source = ""] = /```ts\n(.*?)```/s.exec(section) ?? [];
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  writeFileSync(join(folder, "desk.ts"), source);
  ({ user } = await import(join(folder, "desk.ts")));
});
afterAll(() => rmSync(folder, { recursive: true }));

function accessWith(credential: object): Access {
  return readStandardAccess(JSON.stringify({ credentials: { user: credential } }), file, {
    protocol: "json-rpc-2.0",
    status: "ok",
    notified: 204,
    batch: false,
    schemes: [{ name: "user", kind: "x-desk", options: {} }],
  });
}

async function tried(credential: object, verifier: SchemeVerifier = user): Promise<RunReport> {
  const access = accessWith(credential);
  const handlers = { whoami: async () => null };
  const service = startService(described.descriptor, handlers, { auth: { user: verifier } });
  const { baseUrl, close } = await started(rpcHandler(service));
  try {
    return await conform({
      ...described.suite,
      access,
      baseUrl,
      level: "strict",
      seed: 1,
    });
  } finally {
    close();
  }
}

function idsOf({ outcomes }: RunReport, status: string): readonly string[] {
  return outcomes.filter((each) => each.status === status).map(({ id }) => id);
}

test("the module of a scheme makes what its callers send", async () => {
  const report = await tried({ module: "desk.ts" });
  expect(idsOf(report, "failed")).toEqual([]);
  expect(idsOf(report, "passed")).toContain("whoami/authentication/user-wrong");
  expect(idsOf(report, "skipped")).toEqual([
    "whoami/authentication/user-malformed",
    "whoami/authentication/user-expired",
  ]);
  expect(report.outcomes.flatMap(({ reason }) => reason ?? [])).toEqual([
    "needs credentials.user.malformed, which credentialHeaders of its module does not give",
    "needs credentials.user.expired, which credentialHeaders of its module does not give",
  ]);
});

test("headers that are always the same need no module", async () => {
  const report = await tried({ headers: { "X-Desk": "north" }, expired: { "X-Desk": "west" } });
  expect(idsOf(report, "failed")).toEqual([]);
  expect(idsOf(report, "skipped")).toEqual(["whoami/authentication/user-malformed"]);
});

test("a service that takes any credential of the scheme is found", async () => {
  const lax: SchemeVerifier = {
    kind: "x-desk",
    bind: () => ({
      verifies: "request",
      verify: (evidence) =>
        evidence.header("x-desk").length === 0
          ? { kind: "missing" }
          : { kind: "identity", identity: { caller: {}, scopes: [] } },
    }),
  };
  expect(idsOf(await tried({ module: "desk.ts" }, lax), "failed")).toEqual([
    "whoami/authentication/user-wrong",
  ]);
  expect(idsOf(await tried({ headers: { "X-Desk": "north" } }, lax), "failed")).toEqual([
    "whoami/authentication/user-wrong",
  ]);
});

test.each<[string, object, string]>([
  ["says nothing", {}, "credentials.user.headers is missing: what callers send, or module"],
  ["has a text for headers", { headers: "north" }, "credentials.user.headers has to be an object of headers"],
  ["has a header without a name", { headers: { "": "a" } }, "credentials.user.headers has to be an object"],
  [
    "says both",
    { headers: { a: "b" }, module: "desk.ts" },
    "credentials.user.headers and credentials.user.module",
  ],
  [
    "names a file that is not there",
    { module: "gone.ts" },
    `names ${join(folder, "gone.ts")}, which is not there`,
  ],
  ["names another file", { module: "package.json" }, "it exports no function credentialHeaders"],
  ["is spelled wrong", { header: { a: "b" } }, "credentials.user.header means nothing here"],
])("an access file that %s is refused", (_what, credential, message) => {
  expect(() => accessWith(credential)).toThrow(message);
});
