import { languageOf } from "../../protocols/languages.ts";
import type { DocumentedSpec, Name } from "../spec.ts";
import type { RuleContext } from "./context.ts";

/** In a spec that follows a document, every definition says where it comes from. */
export function checkSections({ spec, own, report }: RuleContext): void {
  if (own.section === undefined) return;
  const definitions: readonly (readonly [string, DocumentedSpec, Name])[] = [
    ...spec.types.map((type) => ["type", type, type.name] as const),
    ...spec.methods.map((method) => ["method", method, method.name] as const),
    ...spec.errors.map((error) => ["error", error, error.code] as const),
    ...spec.events.map((event) => ["event", event, event.name] as const),
    ...spec.states.map((machine) => ["state machine", machine, machine.name] as const),
    ...spec.rules.map((rule) => ["rule", rule, rule.id] as const),
  ];
  for (const [what, { section, decisions, span }, name] of definitions) {
    if (section !== undefined || decisions.length > 0) continue;
    report("missing-section", span, { what, name: name.value });
  }
}

/** Every definition is used. */
export function checkUse(context: RuleContext): void {
  checkTypes(context);
  checkErrorUse(context);
  checkEvents(context);
  checkServices(context);
  checkSpellings(context);
}

function checkTypes({ spec, reach, report }: RuleContext): void {
  const named = new Set(spec.states.map((machine) => machine.type.value));
  for (const { name, keep } of spec.types) {
    if (keep === true) continue;
    const isIncluded = spec.included?.has(name.value) ?? false;
    if (!reach.types.has(name.value) && !named.has(name.value) && !isIncluded) {
      report("unused-type", name.span, { name: name.value });
    }
  }
}

function checkErrorUse({ spec, scope, report }: RuleContext): void {
  const given = new Set([
    ...spec.methods.flatMap((method) => method.errors.map((error) => error.code.value)),
    ...(scope.faults?.codes ?? []).map(({ code }) => code.value),
    ...(scope.auth?.members ?? []).map((member) => member.missing?.value),
  ]);
  for (const { code, everyMethod } of spec.errors) {
    if (!everyMethod && !given.has(code.value)) report("error-never-given", code.span, { code: code.value });
  }
}

/** Reports events without a cause. The events of a standard interface need none in its spec. */
function checkEvents({ spec, own, report }: RuleContext): void {
  if (!languageOf(own.wire.protocol).eventsHaveCauses) return;
  const emitted = new Set(spec.methods.flatMap((method) => method.emits.map((event) => event.value)));
  for (const { name, otherCauses } of spec.events) {
    if (!emitted.has(name.value) && otherCauses.length === 0) {
      report("event-without-cause", name.span, { name: name.value });
    }
  }
}

function checkServices({ spec, own, report }: RuleContext): void {
  const used = new Set(spec.methods.map((method) => method.name.value.split(".")[0]));
  for (const { name } of own.services) {
    if (!used.has(name.value)) report("unused-service", name.span, { name: name.value });
  }
}

/** Other spellings mean something only where the object travels that way. */
function checkSpellings({ objects, reach, report }: RuleContext): void {
  for (const object of objects) {
    const directions = reach.objects.get(object);
    if (directions === undefined) continue;
    for (const { spellings, alsoSentAs } of object.fields) {
      const [spelling] = spellings;
      if (spelling !== undefined && !directions.has("request")) {
        report("spelling-without-effect", spelling.span, { key: "spellings", direction: "request" });
      }
      if (alsoSentAs !== undefined && !directions.has("response")) {
        report("spelling-without-effect", alsoSentAs.span, { key: "alsoSentAs", direction: "response" });
      }
    }
  }
}
