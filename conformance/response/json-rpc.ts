import type { WireRequest } from "../request/wire-request.ts";
import type { Expectation } from "../suite/case.ts";
import type { BatchAnswer } from "../suite/json-rpc.ts";
import type { ErrorEntry, MethodEntry, Suite } from "../suite/suite.ts";
import { isJsonObject, memberOf, problemsOf } from "../values/index.ts";
import { bodyFindings, mediaTypeFindings } from "./body-findings.ts";
import { programTrace } from "./error-findings.ts";
import { type CheckContext, type Finding, formatValue } from "./finding.ts";
import type { ServiceResponse } from "./read-response.ts";
import { matchFindings, resultFindings } from "./result-findings.ts";

/** Everything that is wrong with the answer to a message of JSON-RPC 2.0, of whatever level. */
export function checkJsonRpc(
  expect: Expectation,
  method: MethodEntry,
  request: WireRequest,
  answer: ServiceResponse,
  checking: CheckContext,
): readonly Finding[] {
  if (expect.kind === "silent") return silenceFindings(answer, checking);
  const context: AnswerContext = { ...checking, method, answer };
  const findings = [...bodyFindings(answer, "document"), ...mediaTypeFindings(answer, mediaTypes)];
  if (expect.kind === "batch") return [...findings, ...batchFindings(expect.answers, context)];
  const { json } = answer;
  if (!isJsonObject(json)) {
    findings.push({
      check: "response-object",
      level: "document",
      expected: "one response object (JSON-RPC 2.0, section 5)",
      found: Array.isArray(json) ? "a list of them" : `HTTP ${answer.status} ${answer.text.slice(0, 200)}`,
    });
    return findings;
  }
  findings.push(...answerFindings(expect, json, sentId(request), context));
  findings.push(...statusFindings(expect, json, context), ...idTextFindings(expect, answer));
  return findings;
}

/** A notification is never answered (section 4.1): no body, and the status that the interface names. */
function silenceFindings(answer: ServiceResponse, { suite }: CheckContext): readonly Finding[] {
  const findings: Finding[] = [];
  if (answer.body.length > 0)
    findings.push({
      check: "notification",
      level: "document",
      expected: "no answer: a notification has none (JSON-RPC 2.0, section 4.1)",
      found: answer.text.slice(0, 200),
    });
  const status = suite.wire?.notified ?? 204;
  if (answer.isMessage !== true && answer.status !== status)
    findings.push({
      check: "status",
      level: "decisions",
      expected: `HTTP ${status}`,
      found: `HTTP ${answer.status}`,
    });
  return findings;
}

/** The media types of JSON-RPC over HTTP. */
const mediaTypes = ["application/json", "application/json-rpc", "application/jsonrequest"];

/** The id that a message carries: `undefined` where it has none, null where none can be read. */
function sentId({ body }: WireRequest): unknown {
  let message: unknown;
  try {
    message = JSON.parse(body.toString("utf8"));
  } catch {
    return null;
  }
  if (!isJsonObject(message)) return null;
  const id = memberOf(message, "id");
  return typeof id === "boolean" || (typeof id === "object" && id !== null) ? null : id;
}

function statusFindings(
  expect: Expectation,
  json: object,
  { answer, suite, method }: AnswerContext,
): readonly Finding[] {
  if (answer.isMessage === true) return [];
  const code = memberOf(memberOf(json, "error"), "code");
  const entries = suite.errors.filter(({ rpcCode }) => rpcCode === code);
  const own = entries.filter(
    ({ code: name, everyMethod }) => everyMethod || method.errors.some((error) => error.code === name),
  );
  const mapped = (own.length > 0 ? own : entries).map(({ httpStatus }) => httpStatus);
  const usual = code === undefined || suite.wire?.status !== "mapped" ? [200] : mapped;
  const stated = expect.kind === "error" ? expect.status : undefined;
  const statuses = stated === undefined ? usual : typeof stated === "number" ? [stated] : stated;
  if (statuses.length === 0 || statuses.includes(answer.status)) return [];
  return [
    {
      check: "status",
      level: "decisions",
      expected: `HTTP ${[...new Set(statuses)].join(" or ")}`,
      found: `HTTP ${answer.status}`,
    },
  ];
}

/** Whether an id came back in the same bytes: a number may say more than its value. */
function idTextFindings(expect: Expectation, { text }: ServiceResponse): readonly Finding[] {
  const idText = expect.kind === "result" || expect.kind === "error" ? expect.idText : undefined;
  if (idText === undefined) return [];
  // A result may have an id of its own, before or after.
  const found = [...text.matchAll(/"id"\s*:\s*("(?:[^"\\]|\\.)*"|[^\s,}]*)/g)].map(([, id]) => id);
  return found.includes(idText)
    ? []
    : [
        {
          check: "id",
          level: "decisions",
          expected: `id ${idText}, byte for byte`,
          found: found.join(", "),
        },
      ];
}

interface AnswerContext extends CheckContext {
  readonly method: MethodEntry;
  readonly answer: ServiceResponse;
}

/** The findings on one response object (section 5), alone or in a batch. */
function answerFindings(
  expect: Expectation,
  json: object,
  sentId: unknown,
  context: AnswerContext,
): readonly Finding[] {
  const error = memberOf(json, "error");
  const findings = [...shapeFindings(json), ...idFindings(expect, json, sentId)];
  if (error !== undefined) findings.push(...errorShape(error, expect, context));
  else findings.push(...resultFindings(context.method.result, memberOf(json, "result"), context.reading));
  switch (expect.kind) {
    case "result":
      if (error !== undefined) findings.unshift(unexpectedError(error));
      else if (expect.match !== undefined)
        findings.push(...matchFindings(expect.match, memberOf(json, "result")));
      break;
    case "error":
      findings.push(...codeFindings(expect.codes, json, context.suite));
      break;
    case "taken":
      if (expect.notCodes.some((name) => codesOf([name], context.suite).includes(codeOf(error))))
        findings.unshift(unexpectedError(error));
      break;
    default:
      if (codeOf(error) === internalError) findings.unshift(unexpectedError(error));
  }
  return findings;
}

const internalError = -32603;

function shapeFindings(json: object): readonly Finding[] {
  const findings: Finding[] = [];
  const jsonrpc = memberOf(json, "jsonrpc");
  if (jsonrpc !== "2.0")
    findings.push({
      check: "jsonrpc",
      level: "document",
      expected: 'jsonrpc "2.0" (JSON-RPC 2.0, section 5)',
      found: formatValue(jsonrpc),
      ofEveryAnswer: true,
    });
  const both = ["result", "error"].filter((name) => memberOf(json, name) !== undefined);
  if (both.length !== 1)
    findings.push({
      check: "response-object",
      level: "document",
      expected: "either result or error (JSON-RPC 2.0, section 5)",
      found: both.length === 0 ? "neither" : "both",
    });
  const extra = Object.keys(json).filter((name) => !["jsonrpc", "id", "result", "error"].includes(name));
  if (extra.length > 0)
    findings.push({
      check: "response-object",
      level: "strict",
      expected: "only jsonrpc, id, and result or error",
      found: extra.join(", "),
      ofEveryAnswer: true,
    });
  return findings;
}

/** The id of the request, of the same type; null where none could be read. */
function idFindings(expect: Expectation, json: object, sentId: unknown): readonly Finding[] {
  const found = memberOf(json, "id");
  const asked = expect.kind === "error" ? expect.id : undefined;
  const allowed = asked === null ? [null] : asked === "any" ? [null, sentId ?? null] : [sentId ?? null];
  if (allowed.some((id) => id === found)) return [];
  return [
    {
      check: "id",
      level: "document",
      expected: `id ${[...new Set(allowed.map(formatValue))].join(" or ")} (JSON-RPC 2.0, section 5)`,
      found: formatValue(found),
    },
  ];
}

/** Code, message and data (section 5.1), against the errors that the method declares. */
function errorShape(error: unknown, expect: Expectation, context: AnswerContext): readonly Finding[] {
  const { suite, method, answer } = context;
  const findings: Finding[] = [];
  const add = (check: string, level: Finding["level"], expected: string, found: unknown): void => {
    findings.push({ check, level, expected, found: formatValue(found) });
  };
  if (!isJsonObject(error)) {
    add("error-shape", "document", "error to be an object (JSON-RPC 2.0, section 5.1)", error);
    return findings;
  }
  const code = memberOf(error, "code");
  const message = memberOf(error, "message");
  if (!Number.isInteger(code)) add("error-shape", "document", "code to be an integer", code);
  if (typeof message !== "string") add("error-shape", "document", "message to be a string", message);
  const extra = Object.keys(error).filter((name) => !["code", "message", "data"].includes(name));
  if (extra.length > 0) add("error-shape", "strict", "only code, message and data", extra);
  if (programTrace.test(answer.text))
    add("leak", "decisions", "no trace of the program or its database", answer.text.slice(0, 200));
  const entries = givenBy(suite, method, expect).filter(({ rpcCode }) => rpcCode === code);
  if (entries.length === 0) {
    add("error-code", "decisions", `a code that ${method.name} declares`, code);
    return findings;
  }
  if (!entries.some((entry) => isMessage(message, entry)))
    add("error-message", "strict", entries.map((entry) => entry.message).join(" or "), message);
  findings.push(...dataFindings(memberOf(error, "data"), entries, context));
  return findings;
}

/** The `data` of a declared error fits its shape. Names that share a code each have their own. */
function dataFindings(
  data: unknown,
  entries: readonly ErrorEntry[],
  { reading }: AnswerContext,
): readonly Finding[] {
  const found = entries.map(({ data: shape }) =>
    shape === undefined ? [] : problemsOf(shape, data, reading),
  );
  if (found.some((problems) => problems.length === 0)) return [];
  return (found[0] ?? []).map(({ at, expected, found: value }) => ({
    check: "error-data",
    level: "document",
    expected: `${at === "" ? "data" : `data${at}`} to be ${expected}`,
    found: formatValue(value),
  }));
}

function givenBy({ errors }: Suite, method: MethodEntry, expect: Expectation): readonly ErrorEntry[] {
  const asked = expect.kind === "error" ? expect.codes : [];
  return errors.filter(
    ({ code, everyMethod }) =>
      everyMethod || asked.includes(code) || method.errors.some((error) => error.code === code),
  );
}

function isMessage(message: unknown, entry: ErrorEntry): boolean {
  const [before = "", ...rest] = entry.message.split(/\{[^{}]*\}/);
  if (typeof message !== "string" || !message.startsWith(before)) return false;
  return rest.length === 0 ? message === before : message.endsWith(rest.at(-1) ?? "");
}

/** Whether the answer is an error with the code of one of these names. */
function codeFindings(names: readonly string[], json: object, suite: Suite): readonly Finding[] {
  const error = memberOf(json, "error");
  const codes = codesOf(names, suite);
  const expected = `the error ${names.map((name, index) => `${codes[index] ?? "?"} ${name}`).join(" or ")}`;
  if (error === undefined)
    return [{ check: "refusal", level: "document", expected, found: formatValue(memberOf(json, "result")) }];
  const found = codeOf(error);
  if (codes.includes(found)) return [];
  return [{ check: "error-code", level: "document", expected, found: formatValue(error) }];
}

function codesOf(names: readonly string[], { errors }: Suite): readonly unknown[] {
  return names.map((name) => errors.find(({ code }) => code === name)?.rpcCode);
}

function codeOf(error: unknown): unknown {
  return memberOf(error, "code");
}

function unexpectedError(error: unknown): Finding {
  return { check: "result", level: "document", expected: "a result", found: formatValue(error) };
}

/**
 * The faults of the answer to a batch (section 6): one response object for each call that is no notification. The
 * standard lets them come in any order; that of the calls is a decision.
 */
function batchFindings(expected: readonly BatchAnswer[], context: AnswerContext): readonly Finding[] {
  const { json, status, text } = context.answer;
  if (!Array.isArray(json))
    return [
      {
        check: "batch",
        level: "document",
        expected: "a list of answers (JSON-RPC 2.0, section 6)",
        found: `HTTP ${status} ${text.slice(0, 200)}`,
      },
    ];
  const answers: readonly unknown[] = json;
  const findings: Finding[] = [];
  if (answers.length !== expected.length)
    findings.push({
      check: "batch",
      level: "document",
      expected: `${expected.length} answers, one for each call that is no notification`,
      found: `${answers.length} answers: ${formatValue(answers)}`,
    });
  if (status !== 200)
    findings.push({
      check: "status",
      level: "decisions",
      expected: "HTTP 200: a batch has no status of its own",
      found: `HTTP ${status}`,
    });
  const ids = answers.map((answer) => memberOf(answer, "id"));
  const wanted = expected.map(({ id }) => id);
  if (isSameSet(ids, wanted) && wanted.some((id, index) => id !== ids[index]))
    findings.push({
      check: "batch-order",
      level: "decisions",
      expected: `answers in the order of the calls: ${formatValue(wanted)}`,
      found: formatValue(ids),
    });
  const left = [...answers];
  for (const each of expected) {
    const at = left.findIndex((answer) => memberOf(answer, "id") === each.id && isMeant(each, answer));
    const same = at >= 0 ? at : left.findIndex((answer) => memberOf(answer, "id") === each.id);
    const [answer] = same >= 0 ? left.splice(same, 1) : [];
    findings.push(...itemFindings(each, answer, context));
  }
  return findings;
}

/** Where several answers have no id, errors are counted apart from results. */
function isMeant({ codes }: BatchAnswer, answer: unknown): boolean {
  return (codes === undefined) === (memberOf(answer, "error") === undefined);
}

function itemFindings(
  { id, method: name, codes }: BatchAnswer,
  answer: unknown,
  context: AnswerContext,
): readonly Finding[] {
  if (!isJsonObject(answer))
    return [
      {
        check: "batch",
        level: "document",
        expected: `an answer with the id ${formatValue(id)}`,
        found: answer === undefined ? "none" : formatValue(answer),
      },
    ];
  const method = context.suite.methods.find((each) => each.name === name) ?? context.method;
  const expect = codes === undefined ? ({ kind: "result" } as const) : ({ kind: "error", codes } as const);
  return answerFindings(expect, answer, id, { ...context, method }).map((finding) => ({
    ...finding,
    expected: `of the call with the id ${formatValue(id)}: ${finding.expected}`,
  }));
}

function isSameSet(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((each) => b.includes(each)) && b.every((each) => a.includes(each));
}
