import type { WireRequest } from "../request/wire-request.ts";
import type { Expectation } from "../suite/case.ts";
import type { Level } from "../suite/level.ts";
import type { MethodEntry, Suite } from "../suite/suite.ts";
import { memberOf } from "../values/index.ts";
import { bodyFindings, mediaTypeFindings } from "./body-findings.ts";
import { errorFindings, errorShapeFindings } from "./error-findings.ts";
import {
  type CheckContext,
  finding,
  type Finding,
  formatValue,
  ofEvery,
  ruleOrigin,
  startOf,
} from "./finding.ts";
import { resultOf, type ServiceResponse } from "./read-response.ts";
import { matchFindings, resultFindings } from "./result-findings.ts";

/** Everything that is wrong with an answer in the signed envelope, of whatever level. */
export function checkEnvelope(
  expect: Expectation,
  method: MethodEntry,
  request: WireRequest,
  answer: ServiceResponse,
  { suite, settings, reading }: CheckContext,
): readonly Finding[] {
  const result = resultOf(answer, method);
  const findings: Finding[] = [...frameFindings(answer, suite)];
  if (result === undefined) findings.push(...failureFindings(expect, method, request, answer, suite));
  else {
    findings.push(...successFindings(method, request, answer, result, suite));
    findings.push(...resultFindings(method.result, result, reading));
  }
  switch (expect.kind) {
    case "result":
      if (result === undefined) findings.unshift(unexpectedError(answer, takenFrom(expect)));
      else if (expect.match !== undefined) findings.push(...matchFindings(expect.match, result));
      break;
    case "error":
      if (result === undefined) findings.push(...errorFindings(expect, answer, method, suite, settings));
      else
        findings.unshift(
          finding("refusal", "document", `an error, ${expect.codes.join(" or ")}`, formatValue(result)),
        );
      break;
    case "taken":
      if (answer.error !== undefined && expect.notCodes.some((code) => code === answer.error?.code))
        findings.unshift(unexpectedError(answer));
      break;
    default:
      break;
  }
  return findings;
}

/** From which level on an answer that is no result counts. */
function takenFrom(expect: Expectation): Level {
  return (expect.kind === "result" ? expect.takenFrom : undefined) ?? "document";
}

function unexpectedError(answer: ServiceResponse, level: Level = "document"): Finding {
  const { error } = answer;
  const found =
    error === undefined
      ? startOf(answer)
      : `${String(error.code)} ${String(error.message)} ${formatValue(error.data)}`;
  return finding("result", level, "a result", found);
}

/** Checks of every answer. */
function frameFindings(answer: ServiceResponse, suite: Suite): readonly Finding[] {
  const { status, headers } = answer;
  const findings = [...bodyFindings(answer, status < 300 ? "document" : "decisions")];
  if (status >= 500)
    findings.push(finding("status", "decisions", "no fault of the service", `HTTP ${status}`));
  findings.push(...mediaTypeFindings(answer, ["application/json"]));
  const revision = headers["x-interface-revision"];
  if (suite.rules["revisions"] !== undefined && revision !== suite.revision)
    findings.push(
      finding(
        "revision",
        "decisions",
        `X-Interface-Revision ${suite.revision}`,
        String(revision ?? "nothing"),
        { origin: ruleOrigin(suite, "revisions"), ...ofEvery },
      ),
    );
  return findings;
}

/** The findings on the shape and the id of any answer that is no result. */
function failureFindings(
  expect: Expectation,
  method: MethodEntry,
  request: WireRequest,
  answer: ServiceResponse,
  suite: Suite,
): readonly Finding[] {
  const isFlat = method.transport.kind === "flat";
  const isUnread = expect.kind === "error" && request.id === undefined && !isFlat;
  const shape = errorShapeFindings(answer, isUnread ? undefined : method, suite);
  // A flat body has no request id; one that holds an id of another kind may well see it echoed.
  const isAboutId = !isFlat || memberOf(request.payload, "id") === undefined;
  if (!isAboutId || (expect.kind === "error" && expect.id === "any")) return shape;
  const id = (isFlat || (expect.kind === "error" && expect.id === null) ? null : request.id) ?? null;
  const found = memberOf(answer.json, "id");
  if (found === undefined || found === id) return shape;
  // An error need not carry the id; one that carries a text echoes what was sent.
  const isEchoed = typeof id === "string" && typeof found === "string";
  const level = isEchoed ? "document" : expect.kind === "error" ? "decisions" : takenFrom(expect);
  const origin = ruleOrigin(suite, "request-id");
  return [...shape, finding("id", level, `id ${formatValue(id)}`, formatValue(found), { origin })];
}

/** The findings on any success. */
function successFindings(
  { transport }: MethodEntry,
  request: WireRequest,
  { status, json }: ServiceResponse,
  result: unknown,
  suite: Suite,
): readonly Finding[] {
  const findings: Finding[] = [];
  const add = (check: string, expected: string, found: string, rule: string, more = {}): void => {
    findings.push(finding(check, "document", expected, found, { origin: ruleOrigin(suite, rule), ...more }));
  };
  if (status !== 200) add("status", "HTTP 200", `HTTP ${status}`, "success-status");
  if (transport.kind === "flat") return findings;
  const id = memberOf(json, "id");
  if (id !== request.id) add("id", `id ${formatValue(request.id)}`, formatValue(id), "request-id");
  const jsonrpc = memberOf(json, "jsonrpc");
  const isEnveloped = transport.kind === "enveloped";
  const expected = isEnveloped && transport.jsonrpc ? "2.0" : undefined;
  const words = expected === undefined ? "no jsonrpc" : `jsonrpc "${expected}"`;
  if (jsonrpc !== expected) add("jsonrpc", words, formatValue(jsonrpc), "response-envelope", ofEvery);
  const hasNull = isEnveloped && transport.nullError === true;
  findings.push(...strangerFindings(json, hasNull, ruleOrigin(suite, "response-envelope")));
  if (typeof result !== "object" || result === null)
    findings.push(finding("result", "document", "result to be an object", formatValue(result)));
  return findings;
}

/** What stands beside a result that has no place there. */
function strangerFindings(json: unknown, hasNull: boolean, origin: readonly string[]): readonly Finding[] {
  const more = { origin, ...ofEvery };
  const isNull = memberOf(json, "error") === null;
  const known = ["id", "result", "jsonrpc", "error"];
  const extra = Object.keys(Object(json)).filter((name) => !known.includes(name));
  const wrong: Finding[] = [];
  if (hasNull && !isNull)
    wrong.push(finding("error-null", "document", "error: null beside a result", "nothing", more));
  if (isNull && !hasNull)
    wrong.push(finding("error-null", "strict", "no member error beside a result", "error: null", more));
  if (extra.length > 0)
    wrong.push(finding("envelope", "strict", "only id, result and jsonrpc", extra.join(", "), ofEvery));
  return wrong;
}
