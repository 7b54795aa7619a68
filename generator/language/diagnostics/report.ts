import type { Span } from "../source/index.ts";
import { codes } from "./codes/index.ts";
import type { Diagnostic } from "./diagnostic.ts";
import type { CodeEntry } from "./entry.ts";
import { omitUndefined } from "../../../conformance/base/omit-undefined.ts";

export type Code = keyof typeof codes;

/** The parameters of each code's message. */
export type MessageParams = { readonly [C in Code]: Parameters<(typeof codes)[C]["message"]>[0] };

export type Related = NonNullable<Diagnostic["related"]>;

export interface Reporter {
  report<C extends Code>(code: C, span: Span, params: MessageParams[C], related?: Related): void;
  /** Takes over findings made elsewhere. */
  add(diagnostics: readonly Diagnostic[]): void;
  readonly diagnostics: readonly Diagnostic[];
}

export function createReporter(): Reporter {
  const diagnostics: Diagnostic[] = [];
  return {
    diagnostics,
    add(more) {
      // One by one: a call takes no list of a hundred thousand arguments.
      for (const each of more) diagnostics.push(each);
    },
    report(code, span, params, related) {
      diagnostics.push(diagnosticOf(code, params, omitUndefined({ span, related })));
    },
  };
}

/** Builds a diagnostic: its severity, message and hint are those of its code. */
export function diagnosticOf<C extends Code>(
  code: C,
  params: MessageParams[C],
  where: Pick<Diagnostic, "span" | "path" | "related">,
): Diagnostic {
  const entries: { readonly [K in Code]: CodeEntry<MessageParams[K]> } = codes;
  const { severity, message, hint } = entries[code];
  const text = hint?.(params);
  return {
    code,
    severity,
    message: bounded(message(params)),
    ...where,
    ...omitUndefined({ hint: text === undefined ? undefined : bounded(text) }),
  };
}

/** Names and values of a spec may be as long as a file: a message holds their beginning. */
function bounded(text: string): string {
  const shown = text.replaceAll(/`[^`]{200,}`/g, (quoted) => `${quoted.slice(0, 199).toWellFormed()}…\``);
  return shown.length <= 2_000 ? shown : `${shown.slice(0, 1_999).toWellFormed()}…`;
}
