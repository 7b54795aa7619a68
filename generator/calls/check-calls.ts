import { diagnosticOf, type Diagnostic } from "../language/diagnostics/index.ts";
import { mismatchesIn, type Mismatch } from "../language/rules/examples.ts";
import type { SourceText } from "../language/source/index.ts";
import type { Node } from "../language/syntax/index.ts";
import { payloadShapes, readingOf, type MethodModel, type ServiceModel } from "../model/index.ts";
import { writtenCalls } from "./written-calls.ts";

/**
 * Holds payloads that code writes out against the operations that they are for: seed data, demos, programs. The compiler
 * finds a field that is missing or misspelt, also here; patterns, lengths and bounds are in no type.
 */
export function checkCalls(model: ServiceModel, sources: readonly SourceText[]): readonly Diagnostic[] {
  const methods = new Map(model.methods.map((method) => [method.name, method]));
  return writtenCalls(sources, new Set(methods.keys())).flatMap(({ method: name, payload }) => {
    const method = methods.get(name);
    const mismatches = method === undefined ? [] : payloadMismatches(model, method, payload);
    return mismatches.map(({ span, reason, suggestion }) =>
      diagnosticOf("call-payload", { method: name, reason, suggestion }, { span }),
    );
  });
}

/** With several forms, those of the form that the payload comes closest to. */
function payloadMismatches(
  model: ServiceModel,
  { payload }: MethodModel,
  written: Node,
): readonly Mismatch[] {
  const reading = { ...readingOf(model, "request"), example: true as const };
  const byForm = payloadShapes(payload).map((shape) => mismatchesIn(written, shape, reading));
  return byForm.toSorted((a, b) => a.length - b.length)[0] ?? [];
}
