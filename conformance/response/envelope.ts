import { memberOf } from "../values/index.ts";
import { type CheckContext, type Finding, formatValue } from "./finding.ts";
import type { Expectation } from "../suite/case.ts";
import type { WireRequest } from "../request/wire-request.ts";
import type { Level } from "../suite/level.ts";
import type { MethodEntry, Suite } from "../suite/suite.ts";
import { errorFindings, errorShapeFindings } from "./error-findings.ts";
import { bodyFindings, mediaTypeFindings } from "./body-findings.ts";
import { resultOf, type ServiceResponse } from "./read-response.ts";
import { matchFindings, originOf, resultFindings } from "./result-findings.ts";

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
  const isFlat = method.transport.kind === "flat";
  if (result === undefined) {
    findings.push(
      ...errorShapeFindings(
        answer,
        expect.kind === "error" && request.id === undefined && !isFlat ? undefined : method,
        suite,
      ),
    );
    // A flat body has no request id; one that holds an id of another kind may well see it echoed.
    const isAboutId = !isFlat || memberOf(request.payload, "id") === undefined;
    if (isAboutId && (expect.kind !== "error" || expect.id !== "any"))
      findings.push(
        ...idFindings(
          answer,
          isFlat || (expect.kind === "error" && expect.id === null) ? null : request.id,
          suite,
          expect.kind === "error" ? "decisions" : takenFrom(expect),
        ),
      );
  } else {
    findings.push(...successFindings(method, request, answer, result, suite));
    findings.push(...resultFindings(method.result, result, reading));
  }
  switch (expect.kind) {
    case "result":
      if (result === undefined) findings.unshift({ ...unexpectedError(answer), level: takenFrom(expect) });
      else if (expect.match !== undefined) findings.push(...matchFindings(expect.match, result));
      break;
    case "error":
      if (result !== undefined) findings.unshift(unexpectedSuccess(expect.codes, result));
      else findings.push(...errorFindings(expect, answer, method, suite, settings));
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

function unexpectedError({ status, error, text }: ServiceResponse): Finding {
  const found =
    error === undefined
      ? `HTTP ${status} ${text.slice(0, 200)}`
      : `${String(error.code)} ${String(error.message)} ${formatValue(error.data)}`;
  return { check: "result", level: "document", expected: "a result", found };
}

function unexpectedSuccess(codes: readonly string[], result: unknown): Finding {
  return {
    check: "refusal",
    level: "document",
    expected: `an error, ${codes.join(" or ")}`,
    found: formatValue(result),
  };
}

/** Checks of every answer. */
function frameFindings(answer: ServiceResponse, suite: Suite): readonly Finding[] {
  const findings: Finding[] = [...bodyFindings(answer, answer.status < 300 ? "document" : "decisions")];
  if (answer.status >= 500)
    findings.push({
      check: "status",
      level: "decisions",
      expected: "no fault of the service",
      found: `HTTP ${answer.status}`,
    });
  findings.push(...mediaTypeFindings(answer, ["application/json"]));
  const revisions = suite.rules["revisions"];
  const revision = answer.headers["x-interface-revision"];
  if (revisions !== undefined && revision !== suite.revision) {
    findings.push({
      check: "revision",
      level: "decisions",
      expected: `X-Interface-Revision ${suite.revision}`,
      found: String(revision ?? "nothing"),
      origin: originOf(revisions),
      ofEveryAnswer: true,
    });
  }
  return findings;
}

function idFindings(
  answer: ServiceResponse,
  id: string | null | undefined,
  suite: Suite,
  level: Level,
): readonly Finding[] {
  const found = memberOf(answer.json, "id");
  if (found === undefined || found === (id ?? null)) return [];
  const rule = suite.rules["request-id"];
  return [
    {
      check: "id",
      // An error need not carry the id; one that carries a text echoes what was sent.
      level: typeof id === "string" && typeof found === "string" ? "document" : level,
      expected: `id ${formatValue(id ?? null)}`,
      found: formatValue(found),
      origin: rule === undefined ? [] : originOf(rule),
    },
  ];
}

/** The findings on any success. */
function successFindings(
  method: MethodEntry,
  request: WireRequest,
  { status, json }: ServiceResponse,
  result: unknown,
  suite: Suite,
): readonly Finding[] {
  const findings: Finding[] = [];
  const stated = (name: string): readonly string[] => {
    const rule = suite.rules[name];
    return rule === undefined ? [] : originOf(rule);
  };
  if (status !== 200)
    findings.push({
      check: "status",
      level: "document",
      expected: "HTTP 200",
      found: `HTTP ${status}`,
      origin: stated("success-status"),
    });
  if (method.transport.kind === "flat") return findings;
  const id = memberOf(json, "id");
  if (id !== request.id)
    findings.push({
      check: "id",
      level: "document",
      expected: `id ${formatValue(request.id)}`,
      found: formatValue(id),
      origin: stated("request-id"),
    });
  const jsonrpc = memberOf(json, "jsonrpc");
  const expected = method.transport.kind === "enveloped" && method.transport.jsonrpc ? "2.0" : undefined;
  if (jsonrpc !== expected) {
    findings.push({
      check: "jsonrpc",
      level: "document",
      expected: expected === undefined ? "no jsonrpc" : `jsonrpc "${expected}"`,
      found: formatValue(jsonrpc),
      origin: stated("response-envelope"),
      ofEveryAnswer: true,
    });
  }
  const hasNull = method.transport.kind === "enveloped" && method.transport.nullError === true;
  findings.push(...strangerFindings(json, hasNull, stated("response-envelope")));
  if (typeof result !== "object" || result === null)
    findings.push({
      check: "result",
      level: "document",
      expected: "result to be an object",
      found: formatValue(result),
    });
  return findings;
}

/** What stands beside a result that has no place there. */
function strangerFindings(json: unknown, hasNull: boolean, origin: readonly string[]): readonly Finding[] {
  const common = { level: "strict", ofEveryAnswer: true } as const;
  const known = ["id", "result", "jsonrpc", "error"];
  const extra = Object.keys(Object(json)).filter((name) => !known.includes(name));
  const isNull = memberOf(json, "error") === null;
  return [
    ...(hasNull && !isNull
      ? [
          {
            check: "error-null",
            level: "document",
            expected: "error: null beside a result",
            found: "nothing",
            origin,
            ofEveryAnswer: true,
          } as const,
        ]
      : []),
    ...(isNull && !hasNull
      ? [
          {
            check: "error-null",
            expected: "no member error beside a result",
            found: "error: null",
            origin,
            ...common,
          },
        ]
      : []),
    ...(extra.length > 0
      ? [{ check: "envelope", expected: "only id, result and jsonrpc", found: extra.join(", "), ...common }]
      : []),
  ];
}
