import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createProject, repository, type Project } from "./project.ts";

const main = join(repository, "generator/cli/main.ts");
const folder = mkdtempSync(join(tmpdir(), "ledger-rpc-mock-"));
let project: Project;
let mock: ChildProcess | undefined;

beforeAll(() => {
  project = createProject();
});
afterEach(() => {
  mock?.kill();
  mock = undefined;
});
afterAll(() => {
  project.dispose();
  rmSync(folder, { recursive: true });
});

/** Starts a mock on a free port; gives where it is. */
async function started(cwd: string, ...options: string[]): Promise<string> {
  const child = spawn(process.execPath, [main, "mock", "--port", "0", ...options], { cwd });
  mock = child;
  child.stderr.resume();
  const [line] = await once(createInterface({ input: child.stdout }), "line");
  const [url = ""] = /http:[^/]*\/\/[^/ ]+/.exec(String(line)) ?? [];
  return url;
}

interface Report {
  readonly counts: Readonly<Record<"passed" | "failed" | "skipped" | "broken", number>>;
  readonly outcomes: readonly { readonly id: string; readonly status: string; readonly reason?: string }[];
}

async function conform(cwd: string, baseUrl: string, ...options: string[]): Promise<Report> {
  const args = [main, "conform", "--base-url", baseUrl, "--explore", "0", "--json", ...options];
  const printed = await new Promise<string>((resolve) => {
    execFile(process.execPath, args, { cwd, maxBuffer: 2 ** 28 }, (_error, stdout) => resolve(stdout));
  });
  const report: Report = JSON.parse(printed);
  return report;
}

const failedIn = ({ outcomes }: Report): readonly string[] =>
  outcomes.filter(({ status }) => status === "failed").map(({ id }) => id);

describe("ledger-rpc conform against a mock", () => {
  test("holds nothing against one of a standard interface with every kind of scheme", async () => {
    project.write("ledger-rpc.yaml", "specs: [{ spec: spec, out: generated, handlers: handlers }]\n");
    cpSync(join(repository, "test/conformance/standard/tasks.yaml"), join(project.root, "spec/tasks.yaml"));
    expect((await project.run(["generate"])).exitCode).toBe(0);
    const file = join(project.root, ".cache/ledger-rpc/mock-tasks.json");
    await started(project.root);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    mock?.kill();
    const access: { credentials: Record<string, object> } = JSON.parse(readFileSync(file, "utf8"));
    const certificate = (name: string): string =>
      readFileSync(join(repository, `test/scheme-contract/certificates/${name}.pem`), "utf8");
    access.credentials["proxied"] = { certificatePem: certificate("ann"), strangerPem: certificate("eve") };
    writeFileSync(join(project.root, "access.json"), JSON.stringify(access));
    const url = await started(project.root, "--access", "access.json");
    const report = await conform(project.root, url, "--access", "access.json", "--level", "strict");
    expect(failedIn(report)).toEqual([]);
    expect(report.counts.passed).toBeGreaterThan(400);
  });

  test("asks for the headers of a scheme of the project's own", async () => {
    const own = createProject();
    own.write("ledger-rpc.yaml", "specs: [{ spec: spec, out: generated, handlers: handlers }]\n");
    own.write(
      "spec/desks.yaml",
      `interface:
  name: desks
  wire: { protocol: json-rpc-2.0 }
  schemes: { user: { kind: x-desk } }
  security: [{ user: [desk] }]
methods:
  whoami: { payload: { fields: [] } }
`,
    );
    expect((await own.run(["generate"])).exitCode).toBe(0);
    const url = await started(own.root);
    const file = ".cache/ledger-rpc/mock-desks.json";
    expect(JSON.parse(own.read(file))).toMatchObject({ baseUrl: url });
    const report = await conform(own.root, url, "--access", file, "--level", "strict");
    expect(failedIn(report)).toEqual([]);
    const passed = report.outcomes.filter(({ status }) => status === "passed").map(({ id }) => id);
    const parts = ["none", "user", "user-without-scopes", "user-wrong", "user-expired"];
    expect(passed).toEqual(expect.arrayContaining(parts.map((part) => `whoami/authentication/${part}`)));
    own.dispose();
  });

  test("holds against one of the ledger's only that it keeps nothing", async () => {
    const file = join(folder, "access.json");
    const url = await started(repository, "--spec", "ledger", "--access", file);
    const report = await conform(repository, url, "--spec", "ledger", "--access", file);
    const stateless = failedIn(report).filter((id) => !id.startsWith("scenario/"));
    expect(stateless).toEqual(["KeyService.CompleteRegisterDevice/example/Wrong-one-time-password"]);
    expect(report.counts).toMatchObject({ broken: 0 });
    expect(report.counts.passed).toBeGreaterThan(2200);
  });

  test("refuses a caller whom its access file does not name, unless it is open", async () => {
    const file = join(project.root, "access.json");
    const call = (url: string): Promise<Response> =>
      fetch(`${url}/rpc`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: '{"jsonrpc":"2.0","id":1,"method":"add","params":{"title":"Write"}}',
      });
    expect(await (await call(await started(project.root, "--access", file))).json()).toHaveProperty("error");
    mock?.kill();
    expect(await (await call(await started(project.root, "--open"))).json()).toHaveProperty("result");
    expect((await project.run(["mock", "--open", "--access", "access.json"])).stderr).toContain(
      "give one of them",
    );
    project.write("broken.json", "{");
    expect((await project.run(["mock", "--access", "broken.json"])).stderr).toContain("cannot be used");
  });
});
