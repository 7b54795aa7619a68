import { execFile } from "node:child_process";
import { createServer, type Server } from "node:http";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import express from "express";
import { afterAll, describe, expect, test } from "vitest";
import { loadServiceModel } from "../../generator/model/index.ts";
import { rpc } from "../../runtime/transport/http/endpoint.ts";
import type { SchemeVerifier, AuthIdentities } from "../../runtime/auth/port.ts";
import type { JsonRpcInterfaceDescriptor, SchemeDescriptor } from "../../runtime/contract/index.ts";
import { faults, method } from "../rpc/interface.ts";
import { readerOf } from "../unit/diagnostics-cases.ts";

const root = join(import.meta.dirname, "../..");
const page = readFileSync(join(root, "docs/authentication.md"), "utf8");
const folder = mkdtempSync(join(tmpdir(), "authentication-"));
const servers: Server[] = [];
const env = {
  ...process.env,
  TOKEN_SECRET: "a secret of the operator, long enough",
  SIGNING_SECRET: "another secret of the operator",
};

afterAll(async () => {
  await Promise.all(servers.map(async (server) => new Promise((resolve) => server.close(resolve))));
  rmSync(folder, { recursive: true, force: true });
});

interface Example {
  readonly title: string;
  readonly yaml: string;
  readonly ts: string;
  readonly sh: string | undefined;
}

/** The sections that have a scheme and its verifier. */
const examples: readonly Example[] = page
  .split(/^## /m)
  .slice(1)
  .flatMap((section) => {
    const block = (language: string) =>
      new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, "ms").exec(section)?.[1];
    const [yaml, ts, sh] = [block("yaml"), block("ts"), block("sh")];
    return yaml === undefined || ts === undefined
      ? []
      : [{ title: section.split("\n")[0] ?? "", yaml, ts, sh }];
  });

describe("docs/authentication.md", () => {
  test("has an example of every kind, each called from a shell but the one that needs an issuer", () => {
    const kinds = examples.map(({ yaml }) => /kind: ([\w-]+)/.exec(yaml)?.[1]);
    expect(kinds).toEqual([
      "basic",
      "bearer",
      "jwt",
      "jwt",
      "api-key",
      "hmac",
      "message-signature",
      "client-cert",
      "x-desk",
    ]);
    expect(examples.filter(({ sh }) => sh === undefined).map(({ title }) => title)).toEqual([
      "jwt with the keys of an issuer",
    ]);
  });

  test.each(examples.map((example) => [example.title, example] as const))(
    "%s: works as it stands",
    async (_title, example) => {
      const url = await served(example);
      const bare = await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: '{"jsonrpc":"2.0","id":1,"method":"whoami"}',
      });
      expect(await bare.json()).toMatchObject({ error: { message: "Unauthenticated" } });
      if (example.sh === undefined) return;
      copyFileSync(join(root, "test/scheme-contract/certificates/ann.pem"), join(folder, "ann.pem"));
      const script = example.sh.replaceAll("http://localhost:3000/rpc", url);
      const { stdout } = await promisify(execFile)("sh", ["-euc", script], { cwd: folder, env });
      expect(JSON.parse(stdout)).toEqual({ jsonrpc: "2.0", id: 1, result: { user: { id: "ann" } } });
    },
  );
});

/** The address of a service with the scheme and the verifier of an example. */
async function served({ title, yaml, ts }: Example): Promise<string> {
  const spec = `interface:\n  name: tasks\n  wire: { protocol: json-rpc-2.0 }\n  schemes:\n    ${yaml}  security: [{ user: [] }]\nmethods:\n  whoami: { payload: { fields: [] } }\n`;
  const { value: model, diagnostics } = loadServiceModel(
    "tasks",
    readerOf(new Map([["tasks/all.yaml", spec]])),
  );
  expect(diagnostics).toEqual([]);
  const [scheme] = model?.schemes ?? [];
  const declared: SchemeDescriptor = JSON.parse(JSON.stringify({ kind: scheme?.kind, ...scheme?.options }));
  const descriptor: JsonRpcInterfaceDescriptor = {
    protocol: "json-rpc-2.0",
    contract: 1,
    name: "tasks",
    title: "Tasks",
    revision: "1.0.0",
    path: "/rpc",
    http: { status: "ok", notified: 204 },
    batch: { max: 10 },
    transports: ["http"],
    methods: { whoami: method("whoami", { security: [{ user: [] }] }) },
    faults,
    schemes: { user: declared },
  };
  const handlers = {
    whoami: async (_params: object, { auth }: { readonly auth: AuthIdentities }) =>
      Object.fromEntries(Object.entries(auth).map(([name, { caller }]) => [name, idOf(caller)])),
  };
  const app = express();
  app.use("/rpc", rpc(descriptor, handlers, { auth: { user: await verifierIn(title, ts) } }));
  const server = createServer(app);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return `http://127.0.0.1:${address.port}/rpc`;
}

async function verifierIn(title: string, ts: string): Promise<SchemeVerifier> {
  const file = join(folder, `${title.replaceAll(" ", "-")}.ts`);
  const text = ts
    .replaceAll(/"ledger-rpc-runtime\/auth\/([\w-]+)"/g, (_all, kind) =>
      JSON.stringify(join(root, `runtime/auth/${kind}/index.ts`)),
    )
    .replaceAll('"ledger-rpc-runtime"', JSON.stringify(join(root, "runtime/index.ts")))
    .replaceAll(/process\.env\["(\w+)"\]/g, (_all, name) =>
      JSON.stringify(Object.entries(env).find(([key]) => key === name)?.[1]),
    );
  writeFileSync(file, text);
  const { user } = await import(file);
  return user;
}

function idOf(caller: unknown): unknown {
  return typeof caller === "object" && caller !== null && "id" in caller ? { id: caller.id } : undefined;
}
