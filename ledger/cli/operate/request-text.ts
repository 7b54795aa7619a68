import { isAlias, isScalar, parseDocument, visit } from "yaml";
import { UsageError } from "../../../runtime/operations/cli/index.ts";

/** Digits that a number of JavaScript surely keeps. */
const exactDigits = 15;

/** The number that a text states in decimals. @throws UsageError if it is not a number or would lose digits */
export function exactNumber(text: string): number {
  const written = text.trim();
  if (!/^[+-]?\d+(\.\d*)?([eE][+-]?\d+)?$/.test(written) || !Number.isFinite(Number(written)))
    throw new UsageError(`${text} is no number: write it in decimals, such as 1000.50.`);
  const [decimals = ""] = written.toLowerCase().split("e");
  const digits = [...decimals.replaceAll(/[+\-.]/g, "")];
  const counted = digits.findLastIndex(isCounted) - digits.findIndex(isCounted) + 1;
  if (counted > exactDigits)
    throw new UsageError(`${text} has more than ${exactDigits} digits: not all of them would be kept.`);
  return Number(written);
}

function isCounted(digit: string): boolean {
  return digit !== "0";
}

/** Reads the YAML or JSON of a request: numbers in decimals alone, and no digit lost. @throws UsageError */
export function requestIn(text: string, file: string): unknown {
  const document = parseDocument(text);
  const [mistake] = document.errors;
  if (mistake !== undefined) throw new UsageError(`${file}: ${mistake.message}`);
  visit(document, {
    Node(_key, node) {
      if (!isScalar(node) || isAlias(node) || typeof node.value !== "number") return;
      exactNumber(node.source ?? String(node.value));
    },
  });
  return document.toJS();
}

/** Reads JSON in the same way. @throws SyntaxError, UsageError */
export function jsonIn(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown, context?: { readonly source?: string }) =>
    typeof value === "number" && context?.source !== undefined ? exactNumber(context.source) : value,
  );
}

/** Whether a value read from JSON or YAML has members; a list has, too. */
export function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
