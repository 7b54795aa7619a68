import type { ServiceModel } from "../../model/service-model.ts";
import { interfaceNames } from "../../print/interface-names.ts";
import { stringLiteral } from "../../print/literals.ts";
import { relativeSpecifier } from "../../print/module.ts";
import { preamble } from "../../print/preamble.ts";
import type { EmitLayout, FileDraft } from "../emitter.ts";
import { adapterTypesPath, typesPath } from "../types/index.ts";
import { shapeNames } from "../shapes/shape-names.ts";
import { byHandName, functionOf, type HandWritten } from "./converter.ts";
import { adapterModule, revisionLayout } from "./layout.ts";
import type { AdapterPlan, EventPlan, MethodPlan } from "./plan.ts";

/** The exports of an adapter's module: the revision itself, or the function that makes it. */
export const revisionName = "revision";
/** The type of what people write. */
export const byHandType = "ByHand";

/** `adapter.ts`: how calls of an earlier revision become those of the next, and answers and events go back. */
export function adapterDraft(plan: AdapterPlan, current: ServiceModel, layout: EmitLayout): FileDraft {
  const path = adapterModule(layout, plan.old);
  const later = plan.new === current ? layout : revisionLayout(layout, plan.new.revision);
  const laterTypes = plan.new === current ? adapterTypesPath(current, layout) : typesPath(later);
  const from = (module: string): string => stringLiteral(relativeSpecifier(path, module));
  const body = bodyOf(plan);
  const uses = (name: string): boolean => new RegExp(`\\b${name}\\b`).test(body);
  const types = ["ServedRevision", "Contexts", "Decimal", "Handler"].filter(uses);
  const values = ["decimal", "passedOn"].filter(uses);
  const value = `${interfaceNames(plan.old).value}Interface`;
  const imports = [
    values.length === 0
      ? `import type { ${types.join(", ")} } from ${from(layout.contract)};`
      : `import { ${[...values, ...types.map((name) => `type ${name}`)].join(", ")} } from ${from(layout.contract)};`,
    ...(plan.events.length === 0
      ? []
      : [
          `import * as laterShapes from ${from(`${later.out}/shapes.ts`)};`,
          `import * as shapes from "./shapes.ts";`,
        ]),
    ...(uses("later") ? [`import type * as later from ${from(laterTypes)};`] : []),
    `import { ${value} } from "./methods.ts";`,
    ...(uses("earlier") ? [`import type * as earlier from "./types.ts";`] : []),
  ];
  return { path, ownership: "owned", text: `${preamble(plan.old)}\n${imports.join("\n")}\n\n${body}` };
}

function bodyOf(plan: AdapterPlan): string {
  const functions = plan.functions.map(
    ({ name, takes, gives, body }) => `function ${name}(value: ${takes}): ${gives} {\n${body}\n}`,
  );
  const doc = `/** Revision ${plan.old.revision}, its calls made calls of ${plan.new.revision} and answered in its own words. */`;
  const revision = revisionText(plan);
  const aliases = [...plan.aliases].map(([name, type]) => `type ${name} = ${type};`);
  if (plan.handWritten.length === 0) {
    return [
      `${doc}\nexport const ${revisionName}: ServedRevision = ${revision};`,
      ...aliases,
      ...functions,
    ].join("\n\n");
  }
  const generic = plan.handWritten.some(({ handler }) => handler !== undefined);
  const parameters = generic ? "<C extends Contexts>" : "";
  const byHand = `${byHandName}: ${byHandType}${generic ? "<C>" : ""}`;
  return [
    ...aliases,
    `/** Written by hand: how the changes named here are to be met. */\nexport interface ${byHandType}${parameters} {\n${plan.handWritten.map(memberText).join("\n")}\n}`,
    `${doc}\nexport function ${revisionName}${parameters}(${byHand}): ServedRevision {\nreturn ${revision};\n\n${functions.join("\n\n")}\n}`,
  ].join("\n\n");
}

function memberText({ name, takes, gives, changes, handler, isOptional }: HandWritten): string {
  const asked =
    isOptional === true
      ? [" * May be given: makes a request that the later revision refuses one that it takes."]
      : [];
  const reasons = changes.map(({ rule, summary }) => ` * - ${commentText(`${rule}: ${summary}`)}`);
  const lines = [...asked, ...new Set(reasons)];
  const comment = lines.length === 0 ? "" : `/**\n${lines.join("\n")}\n */\n`;
  if (handler === undefined)
    return `${comment}readonly ${name}${isOptional === true ? "?" : ""}: (value: ${takes}) => ${gives};`;
  const codes = handler.errorCodes.map(stringLiteral).join(" | ");
  return `${comment}readonly ${name}: Handler<${takes}, ${gives}, ${codes === "" ? "never" : codes}, C["${handler.context}"]>;`;
}

/** The text as it may stand in a comment. */
function commentText(text: string): string {
  return text.replaceAll("*/", "* /").replaceAll(/\s+/g, " ");
}

function revisionText(plan: AdapterPlan): string {
  const members = [
    `interfaceDescriptor: ${interfaceNames(plan.old).value}Interface`,
    `methods: {\n${plan.methods.map(methodText).join(",\n")}\n}`,
    `events: {\n${plan.events.map((event) => eventText(event, plan)).join(",\n")}\n}`,
  ];
  return `{\n${members.join(",\n")}\n}`;
}

function methodText(plan: MethodPlan): string {
  const { old, new: recent, handler, up, down, checked, adapt, emptyPage, errors, renamed } = plan;
  const key = stringLiteral(old.name);
  if (recent === undefined) return `${key}: { handler: ${byHandName}.${handler} }`;
  const members = [
    `method: ${stringLiteral(recent.name)}`,
    ...(up === undefined ? [] : [`up: ${functionOf(up)}`]),
    ...(down === undefined ? [] : [`down: ${functionOf(down)}`]),
    ...(checked ? ["checked: true"] : []),
    ...(adapt === undefined
      ? []
      : [`...(${byHandName}.${adapt} === undefined ? {} : { adapt: ${byHandName}.${adapt} })`]),
    ...(emptyPage === undefined
      ? []
      : [`emptyPage: { code: ${stringLiteral(emptyPage.code)}, result: () => ${emptyPage.result} }`]),
    ...tableText("errors", errors),
    ...tableText("renamed", renamed),
  ];
  return `${key}: { ${members.join(", ")} }`;
}

function eventText({ old, new: recent, down }: EventPlan, plan: AdapterPlan): string {
  const members = [
    `name: ${stringLiteral(old.name)}`,
    `from: laterShapes.${shapeNames(plan.new).event(recent)}`,
    `to: shapes.${shapeNames(plan.old).event(old)}`,
    ...(down === undefined ? [] : [`down: ${functionOf(down)}`]),
  ];
  return `${stringLiteral(recent.name)}: { ${members.join(", ")} }`;
}

function tableText(name: string, table: ReadonlyMap<string, string>): readonly string[] {
  if (table.size === 0) return [];
  const entries = [...table].map(([key, value]) => `${stringLiteral(key)}: ${stringLiteral(value)}`);
  return [`${name}: { ${entries.join(", ")} }`];
}
