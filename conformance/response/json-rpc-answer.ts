import { memberOf } from "../request/access.ts";
import type { Expectation } from "../suite/case.ts";
import type { ErrorEntry, MethodEntry, Suite } from "../suite/suite.ts";
import { isJsonObject, problemsOf } from "../values/index.ts";
import type { CheckContext } from "./check-context.ts";
import { programTrace } from "./error-findings.ts";
import { formatValue, type Finding } from "./finding.ts";
import type { ServiceResponse } from "./read-response.ts";
import { matchFindings, resultFindings } from "./result-findings.ts";

export interface AnswerContext extends CheckContext {
  readonly method: MethodEntry;
  readonly answer: ServiceResponse;
}

/** The findings on one response object (section 5), alone or in a batch. */
export function answerFindings(
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

export function codesOf(names: readonly string[], { errors }: Suite): readonly unknown[] {
  return names.map((name) => errors.find(({ code }) => code === name)?.rpcCode);
}

function codeOf(error: unknown): unknown {
  return memberOf(error, "code");
}

function unexpectedError(error: unknown): Finding {
  return { check: "result", level: "document", expected: "a result", found: formatValue(error) };
}
