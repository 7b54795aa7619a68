import { isObject } from "../shared/json.ts";
import type { Outcome, TriedOperation } from "./tried.ts";

/**
 * An answer as the outcome of a call. An answer with both a result and an error is invalid (JSON-RPC 2.0, section 5);
 * absent and `null` are the same there. In a flat operation, the body is the result.
 */
export function outcomeOf(operation: TriedOperation, answer: unknown, flat = false): Outcome {
  const nothing = { operation, problem: `The answer has nothing for ${operation.name}.` };
  if (!isObject(answer)) return flat ? { operation, result: answer } : nothing;
  const { error = null } = answer;
  if (!flat && error !== null && (answer["result"] ?? null) !== null)
    return {
      operation,
      problem: `The answer has both a result and an error for ${operation.name}, so it is none.`,
    };
  if (isObject(error)) return { operation, error };
  if (flat) return { operation, result: answer };
  return "result" in answer ? { operation, result: answer["result"] } : nothing;
}
