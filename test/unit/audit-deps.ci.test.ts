import { execFile } from "node:child_process";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { auditPackages, shippedPackages } from "../../bin/audit-deps.ts";

const root = join(import.meta.dirname, "../..");
const fault = (title: string, range = "<99.0.0") => ({
  title,
  severity: "high",
  vulnerable_versions: range,
  url: "u",
});
const everybodyKnows = { minimist: [fault("Prototype Pollution", "<0.2.1 || >=1.0.0 <1.2.3")] };

const opened: (() => void)[] = [];
afterEach(() => {
  for (const close of opened.splice(0)) close();
});

async function registry(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  opened.push(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  return typeof address === "object" && address !== null ? `http://127.0.0.1:${address.port}/` : "";
}

const json =
  (value: unknown, status = 200): RequestListener =>
  (_request, response) =>
    void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));

const packages = { express: ["5.3.0"], pg: ["8.23.1"] };

test("a registry that knows faults, and none of these packages, clears them", async () => {
  expect(await auditPackages(await registry(json(everybodyKnows)), packages)).toEqual({
    kind: "clean",
    asked: 2,
  });
});

test("each known fault is a line with the package, its version and the range", async () => {
  const answer = json({ ...everybodyKnows, pg: [fault("Injection"), fault("Overflow")] });
  expect(await auditPackages(await registry(answer), packages)).toEqual({
    kind: "faults",
    lines: ["Injection", "Overflow"].map((title) => `pg 8.23.1: high: ${title} (<99.0.0) u`),
  });
});

test.each([
  ["<8.23.1", false],
  ["<=8.23.1", true],
  [">= 8.0.0, < 8.23.2", true],
  [">=8.24.0 || <8.3.0", false],
  ["<8.23.1-beta || =8.23.1", true],
  [">8.23.1-beta", true],
  ["8.23.0", false],
  ["*", true],
  ["whatever this is", true],
])("8.23.1 is in the range %s: %s", async (range, isIn) => {
  const answer = json({ ...everybodyKnows, pg: [fault("Injection", range)] });
  const { kind } = await auditPackages(await registry(answer), packages);
  expect(kind).toBe(isIn ? "faults" : "clean");
});

test.each([
  ["an error", json({}, 503), "HTTP 503"],
  ["an error of a registry that only gives packages", json({}, 405), "HTTP 405"],
  ["a list without the fault that everybody knows", json({}), "lacks a fault that is known"],
  ["a list", json([]), "not a list of faults"],
  ["no JSON", (_request, response) => void response.end("<html>"), "JSON"],
  ["the end of the connection", (request) => void request.socket.destroy(), "fetch failed"],
] satisfies readonly (readonly [string, RequestListener, string])[])(
  "%s is no answer, not a clean one",
  async (_name, answer, why) => {
    const verdict = await auditPackages(await registry(answer), packages);
    expect(verdict).toEqual({ kind: "no-answer", why: expect.stringContaining(why) });
  },
);

test("silence is no answer", async () => {
  const silence = new AbortController();
  const url = await registry(() => silence.abort(new Error("silent for too long")));
  expect(await auditPackages(url, packages, silence.signal)).toEqual({
    kind: "no-answer",
    why: expect.stringContaining("silent for too long"),
  });
});

test("what is shipped is asked about: the service, the generator and what they need, no tool of tests", () => {
  const shipped = shippedPackages(root);
  for (const name of ["express", "body-parser", "ts-morph", "handlebars", "@opentelemetry/api"])
    expect(shipped, name).toHaveProperty([name], [expect.stringMatching(/^\d+\.\d+\.\d+/)]);
  for (const name of ["playwright-core", "pixelmatch", "axe-core"])
    expect(shipped).not.toHaveProperty([name]);
});

test.each([
  [json(everybodyKnows), 0, /^No known faults in \d+ packages\.\n$/],
  [json({ ...everybodyKnows, express: [fault("Injection")] }), 1, /^express .*Injection.*\n1 known faults/],
  [json({}), 2, /^The registry gave no answer: /],
])("the command says the verdict and ends with its status", async (answer, status, text) => {
  const env = { ...process.env, npm_config_registry: await registry(answer) };
  const done = Promise.withResolvers<{ readonly code: unknown; readonly said: string }>();
  execFile(process.execPath, [join(root, "bin/audit-deps.ts")], { env }, (error, stdout, stderr) =>
    done.resolve({ code: error?.code ?? 0, said: stdout + stderr }),
  );
  expect(await done.promise).toEqual({ code: status, said: expect.stringMatching(text) });
});
