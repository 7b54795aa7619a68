import { memberOf } from "../request/access.ts";
import type { Expectation } from "../suite/case.ts";
import { isJsonObject } from "../values/index.ts";
import type { ErrorEntry, MethodEntry, Suite } from "../suite/suite.ts";
import { formatValue, type Finding } from "./finding.ts";
import { namesCode, type ServiceResponse } from "./read-response.ts";

export type ErrorExpectation = Extract<Expectation, { kind: "error" }>;

/** The settings of a service where the decisions leave it a choice. */
export interface ServiceSettings {
  /** HTTP status of errors of parsed envelopes: 200, or the code's own (D-02). */
  readonly httpStatus: "ok" | "mapped";
}

/** The findings on any error answer, whichever error it is. */
export function errorShapeFindings(
  answer: ServiceResponse,
  method: MethodEntry | undefined,
  suite: Suite,
): readonly Finding[] {
  const { json, error } = answer;
  const findings: Finding[] = [];
  const add = adderTo(findings, errorOrigin(suite));
  if (!isJsonObject(json) || error === undefined) {
    add("error-shape", "an object with error", answer.text.slice(0, 200));
    return findings;
  }
  const extra = Object.keys(json).filter((name) => !["id", "error", "jsonrpc"].includes(name));
  if (extra.length > 0) add("error-shape", "only id, error and jsonrpc", extra);
  if (memberOf(json, "jsonrpc") !== "2.0")
    findings.push({
      check: "error-jsonrpc",
      level: "decisions",
      expected: 'jsonrpc "2.0" in an error',
      found: formatValue(memberOf(json, "jsonrpc")),
      origin: errorOrigin(suite),
      ofEveryAnswer: true,
    });
  if (memberOf(json, "id") === undefined) add("id", "an id, null where none could be read", undefined);
  const declared = suite.errors.find(({ code }) => code === error.code);
  if (declared === undefined) {
    add("error-code", "a code that the interface declares", error.code);
    return findings;
  }
  if (!isGivenBy(declared, method, suite))
    add("error-code", `a code that ${method?.name ?? "every operation"} declares`, error.code);
  if (!isMessage(error.message, declared, method))
    add("error-message", messagesOf(declared, method).join(" or "), error.message);
  const data = error.data;
  if (data !== undefined && !isJsonObject(data)) add("error-shape", "data to be an object", data);
  const strangers = isJsonObject(data)
    ? Object.keys(data).filter(
        (name) =>
          !["field", "reason", "requestId", "errors", "rpcCode", "column", "message", "atByte"].includes(
            name,
          ),
      )
    : [];
  if (strangers.length > 0) add("error-shape", "only known members of data", strangers, "strict");
  if (programTrace.test(answer.text))
    add("leak", "no trace of the program or its database", answer.text.slice(0, 200));
  return findings;
}

/** Stacks, files and SQL: what is of use to an attacker alone. */
export const programTrace =
  /\n[\t ]+at |node_modules|Error:|\bSELECT\b[^"]{1,200}\bFROM\b|\bINSERT INTO\b|\bUPDATE\b[^"]{1,200}\bSET\b|\bDELETE FROM\b|SQLITE_|constraint failed/;

/** The findings on an answer that had to be a certain error. */
export function errorFindings(
  expect: ErrorExpectation,
  answer: ServiceResponse,
  method: MethodEntry,
  suite: Suite,
  settings: ServiceSettings,
): readonly Finding[] {
  const { error } = answer;
  const findings: Finding[] = [];
  const add = adderTo(findings);
  if (
    expect.documented === true &&
    !expect.codes.some((code) => error?.code === code || namesCode(answer, code))
  )
    add(
      "error-code",
      `the code ${expect.codes.join(" or ")}`,
      error?.code ?? answer.text.slice(0, 200),
      "document",
    );
  if (error === undefined) return findings;
  if (typeof error.code !== "string" || !expect.codes.includes(error.code)) {
    add(
      "error-code",
      `the code ${expect.codes.join(" or ")}`,
      `${String(error.code)} ${String(error.message)}`,
    );
    return findings;
  }
  const entry = suite.errors.find(({ code }) => code === error.code);
  const statuses = statusesOf(expect, entry, settings);
  if (!statuses.includes(answer.status))
    add("status", `HTTP ${statuses.join(" or ")}`, `HTTP ${answer.status}`);
  for (const [name, value] of Object.entries(expect.headers ?? {})) {
    const found = answer.headers[name];
    if (found !== value) add("header", `${name}: ${value}`, found ?? "nothing");
  }
  if (entry !== undefined) dataFindings(expect, answer, entry, method, add);
  return findings;
}

type AddFinding = (check: string, expected: string, found: unknown, level?: Finding["level"]) => void;

/** `origin` where it is another than the case's. */
function adderTo(findings: Finding[], origin?: Finding["origin"]): AddFinding {
  return (check, expected, found, level = "decisions") => {
    const text = typeof found === "string" ? found : formatValue(found);
    findings.push({ check, level, expected, found: text, ...(origin === undefined ? {} : { origin }) });
  };
}

function dataFindings(
  expect: ErrorExpectation,
  { error }: ServiceResponse,
  entry: ErrorEntry,
  method: MethodEntry,
  add: AddFinding,
): void {
  const member = (name: string): unknown => memberOf(error?.data, name);
  const field = member("field");
  if (expect.field !== undefined) {
    if (field === undefined) add("error-field", `data.field ${expect.field}`, undefined, "strict");
    else if (field !== expect.field) add("error-field", `data.field ${expect.field}`, field);
    const name = expect.field.split("/").findLast((step) => !/^\d*$/.test(step)) ?? "";
    const messages = messagesOf(entry, method).map((template) => template.replace("{field}", name));
    if (typeof error?.message === "string" && !messages.includes(error.message))
      add("error-message", messages.join(" or "), error.message);
  }
  const reason = member("reason");
  if (expect.reason !== undefined && reason !== expect.reason)
    add(
      "error-reason",
      `data.reason ${expect.reason}`,
      reason,
      reason === undefined ? "strict" : "decisions",
    );
  const number = member("rpcCode");
  const numbers = expect.rpcCode === undefined ? [entry.rpcCode, -32600, -32700] : [expect.rpcCode];
  if (number !== undefined && !numbers.some((each) => each === number))
    add("rpc-code", `data.rpcCode ${numbers.join(" or ")}`, number);
  if (number === undefined) add("rpc-code", "data.rpcCode", undefined, "strict");
}

function statusesOf(
  expect: ErrorExpectation,
  entry: ErrorEntry | undefined,
  { httpStatus }: ServiceSettings,
): readonly number[] {
  if (expect.status !== undefined) return typeof expect.status === "number" ? [expect.status] : expect.status;
  return httpStatus === "mapped" && entry !== undefined ? [entry.httpStatus] : [200];
}

function errorOrigin(suite: Suite): readonly string[] {
  const rule = suite.rules["error-response"];
  return rule === undefined ? [] : [...(rule.section === undefined ? [] : [rule.section]), ...rule.decisions];
}

function isGivenBy(
  { code, everyMethod }: ErrorEntry,
  method: MethodEntry | undefined,
  suite: Suite,
): boolean {
  if (everyMethod || method === undefined) return true;
  return (
    method.errors.some((error) => error.code === code) ||
    Object.values(suite.faults).includes(code) ||
    suite.auth.some(({ missing }) => missing === code)
  );
}

function messagesOf(entry: ErrorEntry, method: MethodEntry | undefined): readonly string[] {
  const own = method?.errors.find(({ code }) => code === entry.code)?.message;
  return own === undefined || own === entry.message ? [entry.message] : [own, entry.message];
}

function isMessage(message: unknown, entry: ErrorEntry, method: MethodEntry | undefined): boolean {
  if (typeof message !== "string") return false;
  return messagesOf(entry, method).some((template) => {
    const [before = "", after] = template.split("{field}");
    if (after === undefined) return message === template;
    return (
      message.startsWith(before) && message.endsWith(after) && message.length > before.length + after.length
    );
  });
}
