import { memberOf } from "../request/access.ts";
import type { BatchAnswer } from "../suite/json-rpc.ts";
import { isJsonObject } from "../values/index.ts";
import { answerFindings, type AnswerContext } from "./json-rpc-answer.ts";
import { formatValue, type Finding } from "./finding.ts";

/**
 * The faults of the answer to a batch (section 6): one response object for each call that is no notification. The
 * standard lets them come in any order; that of the calls is a decision.
 */
export function batchFindings(expected: readonly BatchAnswer[], context: AnswerContext): readonly Finding[] {
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
