import { memberOf } from "../request/access.ts";
import type { WireRequest } from "../request/build.ts";
import type { Expectation } from "../suite/case.ts";
import type { MethodEntry } from "../suite/suite.ts";
import { isJsonObject } from "../values/index.ts";
import type { CheckContext } from "./check-context.ts";
import { bodyFindings, mediaTypeFindings } from "./body-findings.ts";
import type { Finding } from "./finding.ts";
import { batchFindings } from "./json-rpc-batch.ts";
import { answerFindings, type AnswerContext } from "./json-rpc-answer.ts";
import type { ServiceResponse } from "./read-response.ts";

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
