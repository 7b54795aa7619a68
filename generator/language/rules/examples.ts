import type { ExampleSpec, MethodSpec, Name } from "../spec.ts";
import type { RuleContext } from "./context.ts";
import { mismatchesOf, payloadMismatches, type Mismatch } from "./match-example.ts";
import { checkErrorCode } from "./references.ts";

/** Examples are what the types say, and errors in them are ones that the method gives. */
export function checkExamples(context: RuleContext): void {
  const { spec, objects, scope } = context;
  const report = (mismatches: readonly Mismatch[]): void => {
    for (const { span, ...params } of mismatches) context.report("example-mismatch", span, params);
  };
  for (const type of spec.types) {
    if (type.example !== undefined) report(mismatchesOf(type.example, type.shape, scope, "any"));
  }
  for (const field of objects.flatMap((object) => object.fields)) {
    if (field.default !== undefined) {
      const [problem] = mismatchesOf(field.default, field.shape, scope, "request");
      if (problem !== undefined) context.report("default-mismatch", problem.span, { reason: problem.reason });
    }
    if (field.example !== undefined) report(mismatchesOf(field.example, field.shape, scope, "any"));
  }
  for (const method of spec.methods) {
    for (const example of method.examples) {
      checkOutcome(example, method, context);
      if (example.result !== undefined)
        report(mismatchesOf(example.result, method.result, scope, "response"));
      if (example.error !== undefined || example.payload === undefined) continue;
      report(payloadMismatches(example.payload, method.payload, scope));
    }
  }
}

/** One of result and error; the payload of an example that fails may be wrong on purpose. */
function checkOutcome(example: ExampleSpec, method: MethodSpec, context: RuleContext): void {
  const { report } = context;
  const hasResult = example.result !== undefined;
  const { error } = example;
  if (hasResult === (error !== undefined)) {
    report("example-outcome", example.span, { name: example.name, both: hasResult });
  }
  if (error !== undefined) checkErrorGiven(error, method, context);
}

/** The error is one that the method gives. */
export function checkErrorGiven(error: Name, method: MethodSpec, context: RuleContext): void {
  const { report, scope } = context;
  const declared = scope.errors.get(error.value);
  if (declared === undefined) {
    checkErrorCode(error, context);
    return;
  }
  const given =
    declared.everyMethod ||
    method.errors.some((own) => own.code.value === error.value) ||
    scope.faults?.codes.some(({ code }) => code.value === error.value) === true ||
    scope.auth?.members.some((member) => member.missing?.value === error.value) === true;
  if (!given) report("example-error-not-given", error.span, { code: error.value, method: method.name.value });
}
