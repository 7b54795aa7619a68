import type { FormSpec } from "../spec.ts";
import type { RuleContext } from "./context.ts";

/** A field that chooses among forms is a different constant in each, and required in all but one. */
export function checkForms({ spec, report }: RuleContext): void {
  for (const { payload } of spec.methods) {
    if (payload.kind !== "forms" || payload.selectedBy.value === "stored") continue;
    const { value: field, span } = payload.selectedBy;
    const byConstant = new Map<unknown, FormSpec>();
    let usual: FormSpec | undefined;
    for (const form of payload.forms) {
      const constant = constantIn(form, field);
      if (constant === undefined) {
        const related = { span, message: "chosen by this field" };
        report("forms-selector-not-const", form.name.span, { form: form.name.value, field }, related);
        continue;
      }
      if (constant.isOptional && usual !== undefined) {
        const params = { field, value: "absent", other: usual.name.value };
        report("forms-ambiguous", form.name.span, params, {
          span: usual.name.span,
          message: "the other form",
        });
      }
      if (constant.isOptional) usual ??= form;
      const other = byConstant.get(constant.value);
      if (other === undefined) byConstant.set(constant.value, form);
      else {
        const params = { field, value: String(constant.value), other: other.name.value };
        report("forms-ambiguous", constant.span, params, {
          span: other.name.span,
          message: "the other form",
        });
      }
    }
  }
}

function constantIn(form: FormSpec, name: string) {
  const field = form.shape.fields.find((candidate) => candidate.name.value === name);
  if (field === undefined || field.requiredWhen !== undefined || field.shape.kind === "unknown")
    return undefined;
  const constant = field.shape.constraints.find((constraint) => constraint.key === "const");
  return constant && { ...constant, isOptional: field.optional !== undefined };
}
