import type { ErrorSpec, Located } from "../spec.ts";
import type { RuleContext } from "./context.ts";

/** What a message may have filled in: the documented name of the failing field. */
const placeholders = ["field"];

/** Messages have known placeholders only, and codes have numbers of their own. */
export function checkErrors(context: RuleContext): void {
  const { spec, scope, report } = context;
  if (context.own.wire.protocol === "json-rpc-2.0") {
    checkStandardCodes(context);
    return;
  }
  for (const error of spec.errors) checkMessage(error.message, context);
  for (const method of spec.methods) {
    for (const { message } of method.errors) if (message !== undefined) checkMessage(message, context);
  }
  const own = new Set(spec.errors);
  const byNumber = new Map<number, ErrorSpec>();
  for (const error of scope.errors.values()) {
    const other = byNumber.get(error.rpcCode.value);
    if (other === undefined) byNumber.set(error.rpcCode.value, error);
    else if (own.has(error)) {
      const params = { rpcCode: error.rpcCode.value, code: error.code.value, other: other.code.value };
      report("rpc-code-shared", error.rpcCode.span, params, {
        span: other.rpcCode.span,
        message: "here too",
      });
    }
  }
}

/** Errors of JSON-RPC 2.0 may share a code, and their messages are sent as they stand (section 5.1). */
function checkStandardCodes({ spec, report }: RuleContext): void {
  for (const { rpcCode } of spec.errors) {
    const { value: code, span } = rpcCode;
    if (code >= -32768 && code <= -32100) report("error-code-reserved", span, { code });
  }
}

function checkMessage({ value, span }: Located<string>, { report }: RuleContext): void {
  for (const [, name = ""] of value.matchAll(/\{([^{}]*)\}/g)) {
    if (!placeholders.includes(name))
      report("message-placeholder-unknown", span, { name, known: placeholders });
  }
}
