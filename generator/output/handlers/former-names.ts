import { operationAndService, plainMethodName } from "../../model/assign-names.ts";
import { namesOf } from "../../model/names.ts";
import type { MethodModel, ServiceModel } from "../../model/service-model.ts";
import { interfaceNames } from "../../print/interface-names.ts";
import type { HandlerEntry, Manifest } from "../manifest.ts";
import { ownEntry } from "./own-entry.ts";

/**
 * Entries of the method under its former name: the written one, and the one that it would get today. A file that no
 * manifest knows may lie there. Empty where the method says that it had no other name.
 */
export function formerEntries(
  { renamedFrom }: MethodModel,
  model: ServiceModel,
  written: Manifest["handlers"],
): readonly HandlerEntry[] {
  if (renamedFrom === undefined) return [];
  const known = ownEntry(written, renamedFrom);
  const guessed = plainEntry(renamedFrom, model);
  const isAnothers = Object.values(written).some(({ file }) => file === guessed.file);
  return [...(known === undefined ? [] : [known]), ...(isAnothers ? [] : [guessed])];
}

/** Where a method of this name has its handler, where no other name is in its way. Nothing in it is known as ours. */
function plainEntry(method: string, model: ServiceModel): HandlerEntry {
  const grouping = { protocol: model.wire.protocol, services: model.services.map(({ name }) => name) };
  const { service } = operationAndService(method, grouping);
  const names = namesOf("Method", plainMethodName(method, grouping));
  const known = model.services.find(({ name }) => name === service)?.names.file;
  const folder = service === undefined ? undefined : (known ?? namesOf("Service", service).file);
  return {
    file: `${folder === undefined ? "" : `${folder}/`}${names.file}.ts`,
    export: names.value,
    type: `${names.type}Handler`,
    doc: "",
    stub: "",
  };
}

/** The generated types that go by another name now, by the name they had. */
export function renamedTypes(
  model: ServiceModel,
  written: Manifest["handlers"],
): ReadonlyMap<string, string> {
  const names = interfaceNames(model);
  const renamed = new Map<string, string>();
  const add = (old: string, present: string): void => {
    if (old !== present && !renamed.has(old)) renamed.set(old, present);
  };
  for (const { name, names: own, renamedFrom } of model.types)
    if (renamedFrom !== undefined && renamedFrom !== name) add(namesOf("Type", renamedFrom).type, own.type);
  for (const method of model.methods) {
    const present = names.of(method);
    const { renamedFrom: former } = method;
    const ofFormer = former === undefined ? [] : [ownEntry(written, former), plainEntry(former, model)];
    for (const entry of [ownEntry(written, method.name), ...ofFormer]) {
      const base = entry?.type.replace(/Handler_*$/, "");
      if (base === undefined) continue;
      add(`${base}Handler`, present.handler);
      add(`${base}Payload`, present.payload);
      add(`${base}Result`, present.result);
      add(`${base}ErrorCode`, present.errorCode);
      add(`${base}FieldPointer`, present.fieldPointer);
      const forms = method.payload.kind === "forms" ? method.payload.forms : [];
      for (const form of forms) add(`${base}${form.names.type}Payload`, present.form(form));
    }
  }
  return renamed;
}
