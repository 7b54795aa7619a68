import { expect, test } from "vitest";
import { operatorInterface } from "../../generated/operator/methods.ts";
import { RpcError } from "../../runtime/contract/index.ts";
import { createErrorResponse } from "../../runtime/service/signed/error-response.ts";
import { faultsOf, parseErrorCode } from "../../runtime/protocol/signed-envelope/fault.ts";
import { tracedAnswer } from "../../runtime/service/signed/traced.ts";
import { StoreBusyError, UnavailableError, type Span, type Tracer } from "../../runtime/store/ports/index.ts";

const fault = faultsOf(operatorInterface);
const { faults } = operatorInterface;
const parse = (reason: string) => fault("badInput", { reason, rpcCode: parseErrorCode });

test.each<[string, unknown, number, number, string | undefined]>([
  ["too many calls", fault("rateLimited"), 429, 429, undefined],
  ["a store that cannot work", new UnavailableError("disk-full"), 503, 503, "store"],
  ["a lock that is held", new UnavailableError("database-locked"), 503, 503, "database-locked"],
  ["a store with too much to do", new StoreBusyError(), 503, 503, "reads-busy"],
  ["a body that is too large", parse("body-too-large"), 413, 413, "body-too-large"],
  ["a body that is no JSON", parse("syntax"), 400, 400, "syntax"],
  ["a wrong credential", fault("badCredential"), 200, 401, undefined],
  ["a fault of our own", new Error("disk"), 200, 500, undefined],
  ["a conflict that the method declares", new RpcError("CONFLICT", { reason: "taken" }), 200, 409, "taken"],
])("%s: HTTP %#", (_name, thrown, status, mappedStatus, reason) => {
  const method = operatorInterface.methods["CreateCategory"];
  const context = { id: "1", headers: {}, ...(method && { method }) };
  const answered = [false, true].map((mapped) =>
    createErrorResponse({ interfaceDescriptor: operatorInterface, fault, log: { error() {} }, mapped })(
      thrown,
      context,
    ),
  );
  expect(answered.map((each) => each.status)).toEqual([status, mappedStatus]);
  for (const each of answered) expect(each.reason).toBe(reason);
});

test.each([
  [faults.internal, true],
  [faults.unavailable, true],
  [faults.badInput, false],
  [undefined, false],
])("a call that ends with %s fails its span: %s", async (code, isFailed) => {
  const told: string[] = [];
  const span: Span = {
    traceId: "t",
    traceParent: "p",
    rename: (name) => void told.push(`name ${name}`),
    set: (attributes) => void told.push(`set ${JSON.stringify(attributes)}`),
    fail: (type) => void told.push(`fail ${type}`),
  };
  const tracer: Tracer = {
    span: ({ name, kind, traceParent }, work) => {
      told.push(`${kind} ${name} in ${traceParent}`);
      return work(span);
    },
    current: () => undefined,
    detached: (work) => work(),
  };
  const answer = tracedAnswer(tracer, operatorInterface, async () => ({
    status: 200,
    body: "{}",
    headers: {},
    trace: { method: "Do", ...(code === undefined ? {} : { code }) },
  }));
  const { trace } = await answer({
    body: Buffer.from(""),
    requestId: "r",
    httpMethod: "POST",
    target: "/",
    header: (name) => (name === "traceparent" ? "00-of-caller" : undefined),
  });
  expect(trace.traceId).toBe("t");
  expect(told).toEqual([
    "server operator call in 00-of-caller",
    "name Do",
    `set {"http.response.status_code":200,"rpc.response.status_code":"${code ?? "OK"}","rpc.method":"Do"}`,
    ...(isFailed ? [`fail ${code}`] : []),
  ]);
});
