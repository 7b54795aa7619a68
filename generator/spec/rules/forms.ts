import type { FormSpec } from "../spec.ts";
import type { RuleContext } from "./context.ts";

/** A field that chooses among forms is required in each and a different constant in each. */
export function checkForms({ spec, report }: RuleContext): void {
  for (const { payload } of spec.methods) {
    if (payload.kind !== "forms" || payload.selectedBy.value === "stored") continue;
    const { value: field, span } = payload.selectedBy;
    const byConstant = new Map<unknown, FormSpec>();
    for (const form of payload.forms) {
      const constant = constantIn(form, field);
      if (constant === undefined) {
        const related = { span, message: "chosen by this field" };
        report("forms-selector-not-const", form.name.span, { form: form.name.value, field }, related);
        continue;
      }
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
  const isRequired = field !== undefined && field.optional === undefined && field.requiredWhen === undefined;
  if (!isRequired || field.shape.kind === "unknown") return undefined;
  return field.shape.constraints.find((constraint) => constraint.key === "const");
}
