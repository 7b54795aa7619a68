import { languageOf } from "../../protocols/languages.ts";
import type { ErrorSpec, Located } from "../spec.ts";
import type { RuleContext } from "./context.ts";

/** The placeholders of a message: the documented name of the failing field. */
const placeholders = ["field"];

/** Messages have known placeholders only, and codes have numbers of their own. */
export function checkErrors(context: RuleContext): void {
  const { spec, scope, report } = context;
  if (languageOf(context.own.wire.protocol).sharesErrorNumbers) {
    checkStandardCodes(context);
    return;
  }
  for (const error of spec.errors) checkMessage(error.message, context);
  for (const method of spec.methods) {
    for (const { message } of method.errors) if (message !== undefined) checkMessage(message, context);
  }
  const own = new Set(spec.errors);
  const all = [...scope.errors.values()];
  const shared = [
    ["rpc-code-shared", sharedNumbers(all, ({ rpcCode }) => rpcCode)],
    ["error-code-shared", sharedNumbers(all, ({ wireCode }) => wireCode)],
  ] as const;
  for (const [rule, found] of shared) {
    for (const { error, other, number, taken } of found) {
      if (!own.has(error)) continue;
      const params = { number: number.value, code: error.code.value, other: other.code.value };
      report(rule, number.span, params, { span: taken.span, message: "here too" });
    }
  }
}

/** The errors with a number that an earlier one has. */
function sharedNumbers(
  errors: readonly ErrorSpec[],
  numberOf: (error: ErrorSpec) => Located<number | string> | undefined,
) {
  const firsts = new Map<string, { readonly other: ErrorSpec; readonly taken: Located<number | string> }>();
  return errors.flatMap((error) => {
    const number = numberOf(error);
    if (number === undefined) return [];
    // Clients know an error by the digits, whether they are text or a number.
    const first = firsts.get(String(number.value));
    if (first !== undefined) return [{ error, number, ...first }];
    firsts.set(String(number.value), { other: error, taken: number });
    return [];
  });
}

/** Errors of JSON-RPC 2.0 may share a code, and their messages are sent as they stand (section 5.1). */
function checkStandardCodes({ spec, report }: RuleContext): void {
  for (const { rpcCode, wireCode } of spec.errors) {
    const { value: code, span } = rpcCode;
    if (wireCode !== undefined) report("error-code-text", wireCode.span, { code: String(wireCode.value) });
    if (code >= -32768 && code <= -32100) report("error-code-reserved", span, { code });
  }
}

function checkMessage({ value, span }: Located<string>, { report }: RuleContext): void {
  for (const [, name = ""] of value.matchAll(/\{([^{}]*)\}/g)) {
    if (!placeholders.includes(name))
      report("message-placeholder-unknown", span, { name, known: placeholders });
  }
}
