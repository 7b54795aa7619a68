import { expect, test } from "vitest";
import { operatorInterface } from "../../generated/operator/methods.ts";
import { RpcError } from "../../runtime/contract/index.ts";
import { refuse } from "../../runtime/protocol/port.ts";
import { signedEnvelopes } from "../../runtime/protocol/signed-envelope/index.ts";
import { createOutcomes } from "../../runtime/service/outcome.ts";
import { tracedStage } from "../../runtime/service/answer-call.ts";
import { tracedAnswer } from "../../runtime/pipeline/observing.ts";
import { StoreBusyError, UnavailableError, type Span, type Tracer } from "../../runtime/store/ports/index.ts";

const { faults } = operatorInterface;
const method = operatorInterface.methods["CreateCategory"];
if (method === undefined) throw new Error("no CreateCategory");
const unaborted = new AbortController().signal;

test.each<[string, unknown, number, number, string | undefined]>([
  ["too many calls", refuse("rateLimited"), 429, 429, undefined],
  ["a store that cannot work", new UnavailableError("disk-full"), 503, 503, "store"],
  ["a lock that is held", new UnavailableError("database-locked"), 503, 503, "database-locked"],
  ["a store with too much to do", new StoreBusyError("ask again later"), 503, 503, "reads-busy"],
  ["a body that is too large", refuse("tooLarge", { reason: "body-too-large" }), 413, 413, "body-too-large"],
  ["a body that is no JSON", refuse("parseError", { reason: "syntax" }), 400, 400, "syntax"],
  [
    "a wrong credential",
    refuse("unauthenticated", { credential: { kind: "rejected" } }),
    200,
    401,
    undefined,
  ],
  ["a fault of our own", new Error("disk"), 200, 500, undefined],
  ["a conflict that the method declares", new RpcError("CONFLICT", { reason: "taken" }), 200, 409, "taken"],
])("%s: HTTP %#", (_name, failed, status, mappedStatus, reason) => {
  const answered = (["ok", "mapped"] as const).map((httpStatus) => {
    const outcomes = createOutcomes(signedEnvelopes(operatorInterface, { httpStatus }), () => {});
    return isRefused(failed)
      ? outcomes.refused(failed, method)
      : outcomes.thrown(failed, method, unaborted, {});
  });
  expect(answered.map((each) => each.httpStatus)).toEqual([status, mappedStatus]);
  for (const each of answered) expect(each.reason).toBe(reason);
});

function isRefused(failed: unknown): failed is ReturnType<typeof refuse> {
  return typeof failed === "object" && failed !== null && "fault" in failed;
}

function trace() {
  const told: string[] = [];
  const span: Span = {
    traceId: "t",
    traceParent: "p",
    rename: (name) => void told.push(`name ${name}`),
    set: (attributes) => void told.push(`set ${JSON.stringify(attributes)}`),
    fail: (type) => void told.push(`fail ${type}`),
  };
  const tracer: Tracer = {
    span: ({ name, kind = "inner", traceParent }, work) => {
      told.push(`${kind} ${name}${traceParent === undefined ? "" : ` in ${traceParent}`}`);
      return work(span);
    },
    current: () => undefined,
    detached: (work) => work(),
  };
  return { told, tracer };
}

test.each([
  [faults.internal, true],
  [faults.unavailable, true],
  [faults.badInput, false],
  [undefined, false],
])("a call that ends with %s fails its span: %s", async (code, isFailed) => {
  const { told, tracer } = trace();
  const failures = [faults.internal, faults.unavailable];
  const answer = tracedAnswer(tracer, { name: "operator", failures }, async () => ({
    status: 200,
    body: "{}",
    headers: {},
    trace: { method: "Do", ...(code === undefined ? {} : { code }) },
  }));
  const answered = await answer({
    body: Buffer.from(""),
    requestId: "r",
    httpMethod: "POST",
    target: "/",
    header: (name) => (name === "traceparent" ? ["00-of-caller"] : []),
  });
  expect(answered.trace.traceId).toBe("t");
  expect(told).toEqual([
    "server operator call in 00-of-caller",
    "name Do",
    `set {"http.response.status_code":200,"rpc.response.status_code":"${code ?? "OK"}","rpc.method":"Do"}`,
    ...(isFailed ? [`fail ${code}`] : []),
  ]);
});

test("a stage that refuses a call fails its span, sooner or later", async () => {
  const { told, tracer } = trace();
  const stage = tracedStage(tracer, ({ fault }) => fault);
  stage("now", () => refuse("forbidden"))();
  await stage("later", async () => refuse("unauthenticated"))();
  stage("fine", () => undefined)();
  expect(told).toEqual(["inner now", "fail forbidden", "inner later", "fail unauthenticated", "inner fine"]);
});
