import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import { sourceText, type SourceText } from "../../../generator/language/source/index.ts";

type Json = null | boolean | number | string | Json[] | JsonMap;
export interface JsonMap {
  [key: string]: Json;
}

/** A spec that can be edited: its sections, merged over all files. */
export interface EditableSpec {
  sections: JsonMap;
  /** Methods and what was said of them, for those that are gone and may come back. */
  removed: { name: string; method: Json }[];
  count: number;
}

/** Reads a spec without what only tries and shows it: that says nothing of handlers. */
export function editableSpec(root: string, folder: string): EditableSpec {
  const sections: JsonMap = {};
  for (const path of globSync(`${folder}/**/*.yaml`, { cwd: root })) {
    const content = parse(readFileSync(join(root, path), "utf8")) as unknown;
    for (const [section, value] of Object.entries(mapOf(content)))
      sections[section] =
        section === "interface" ? value : { ...mapOf(sections[section] ?? {}), ...mapOf(value) };
  }
  delete sections["scenarios"];
  for (const method of Object.values(mapOf(sections["methods"]))) delete mapOf(method)["examples"];
  // Steps name methods, which edits rename.
  for (const resource of Object.values(mapOf(sections["resources"] ?? {}))) {
    for (const steps of ["made", "kept", "removed"]) delete mapOf(resource)[steps];
  }
  return { sections, removed: [], count: 0 };
}

export function sourcesOf({ sections }: EditableSpec): readonly SourceText[] {
  return Object.entries(sections).map(([name, value]) =>
    sourceText(`spec/${name}.yaml`, stringify({ [name]: value }, { aliasDuplicateObjects: false })),
  );
}

/** One edit: changes the spec in place. `pick` chooses among things by the numbers of the edit. */
export interface SpecEdit {
  readonly name: string;
  apply(spec: EditableSpec, pick: Pick): void;
}
type Pick = <T>(items: readonly T[]) => T | undefined;

const texts = [
  "Does something.",
  "Ends a comment */ and goes on.",
  "Has `backticks`, ${braces} and <tags>.\n\nAnd a second paragraph, which is long enough that it does not fit on one line of a hundred and ten columns.",
  "Ünïcödé — 名前 🔑.",
  "/** Looks like a comment. */",
  "Ends in a backslash \\",
];

export const specEdits: readonly SpecEdit[] = [
  {
    name: "add a method",
    apply(spec, pick) {
      const service = pick(Object.keys(servicesOf(spec)));
      const name = `${service}.${pick(["Open", "Close", "Check", "List", "Delete"])}${pick(["Account", "Thing", "Promise", "Notes"])}${spec.count % 7}`;
      if (methodsOf(spec)[name] === undefined) methodsOf(spec)[name] = plainMethod();
    },
  },
  {
    name: "add a method that another service has",
    apply(spec, pick) {
      const like = pick(enveloped(spec));
      const service = pick(Object.keys(servicesOf(spec)).filter((each) => each !== like?.split(".")[0]));
      const name = `${service}.${like?.split(".")[1]}`;
      if (like !== undefined && methodsOf(spec)[name] === undefined) methodsOf(spec)[name] = plainMethod();
    },
  },
  {
    name: "remove a method",
    apply(spec, pick) {
      const name = pick(Object.keys(methodsOf(spec)));
      if (name !== undefined && Object.keys(methodsOf(spec)).length > 6) removeMethod(spec, name);
    },
  },
  {
    name: "bring a method back",
    apply(spec, pick) {
      const back = pick(spec.removed);
      if (back !== undefined && methodsOf(spec)[back.name] === undefined)
        methodsOf(spec)[back.name] = structuredClone(back.method);
    },
  },
  { name: "rename a method", apply: (spec, pick) => renameMethod(spec, pick, true) },
  { name: "rename a method again", apply: (spec, pick) => renameMethod(spec, pick, true) },
  { name: "rename a method and say nothing", apply: (spec, pick) => renameMethod(spec, pick, false) },
  {
    name: "say late that a method was renamed",
    apply(spec, pick) {
      const method = pick(Object.values(methodsOf(spec)));
      const gone = pick(spec.removed);
      if (method !== undefined && gone !== undefined) mapOf(method)["renamedFrom"] = gone.name;
    },
  },
  {
    name: "forget that a method was renamed",
    apply(spec, pick) {
      const method = pick(Object.values(methodsOf(spec)).filter((each) => "renamedFrom" in mapOf(each)));
      if (method !== undefined) delete mapOf(method)["renamedFrom"];
    },
  },
  {
    name: "rename a service",
    apply(spec, pick) {
      const old = pick(Object.keys(servicesOf(spec)));
      const name = `${pick(["Book", "Till", "Vault"])}${spec.count % 5}Service`;
      if (old === undefined || servicesOf(spec)[name] !== undefined) return;
      rekey(servicesOf(spec), old, name);
      for (const method of enveloped(spec).filter((each) => each.startsWith(`${old}.`)))
        renameTo(spec, method, `${name}.${method.slice(old.length + 1)}`, true);
    },
  },
  {
    name: "move a method to another service",
    apply(spec, pick) {
      const method = pick(enveloped(spec));
      const service = pick(Object.keys(servicesOf(spec)));
      if (method !== undefined) renameTo(spec, method, `${service}.${method.split(".")[1]}`, true);
    },
  },
  {
    name: "describe a method anew",
    apply(spec, pick) {
      const method = pick(Object.values(methodsOf(spec)));
      if (method !== undefined) mapOf(method)["doc"] = `${pick(texts)} ${spec.count}`;
    },
  },
  {
    name: "change section, decision or deprecation of a method",
    apply(spec, pick) {
      const method = mapOf(pick(Object.values(methodsOf(spec))) ?? {});
      const key = pick(["section", "decision", "deprecated"]) ?? "section";
      if (key !== "section" && key in method) delete method[key];
      else method[key] = key === "section" ? `9.${spec.count}` : key === "decision" ? "D-99" : "Use another.";
    },
  },
  {
    name: "change an effect",
    apply(spec, pick) {
      const method = mapOf(pick(Object.values(methodsOf(spec))) ?? {});
      method["effect"] = pick(["read", "set", "create"]) ?? "read";
    },
  },
  {
    name: "add a field",
    apply(spec, pick) {
      const fields = pick(fieldLists(spec));
      fields?.push({
        name: `field${spec.count}`,
        type: pick(["string", "money", "timestamp"]) ?? "string",
        doc: "New.",
      });
    },
  },
  {
    name: "remove a field",
    apply(spec, pick) {
      const fields = pick(fieldLists(spec));
      const field = pick(fields ?? []);
      if (fields !== undefined && field !== undefined) fields.splice(fields.indexOf(field), 1);
    },
  },
  {
    name: "rename a field",
    apply(spec, pick) {
      const field = mapOf(pick(pick(fieldLists(spec)) ?? []) ?? {});
      if (typeof field["name"] !== "string") return;
      field["renamedFrom"] = field["name"];
      field["name"] = `renamed${spec.count}`;
    },
  },
  {
    name: "make a field optional, or required",
    apply(spec, pick) {
      const field = mapOf(pick(pick(fieldLists(spec)) ?? []) ?? {});
      if (field["optional"] === true) delete field["optional"];
      else field["optional"] = true;
    },
  },
  {
    name: "rename a type",
    apply(spec, pick) {
      const types = mapOf(spec.sections["types"]);
      const old = pick(Object.keys(types));
      const name = `Renamed${spec.count}`;
      if (old === undefined || types[name] !== undefined) return;
      rekey(types, old, name);
      mapOf(types[name])["renamedFrom"] = old;
      spec.sections = mapOf(withTypeNamed(spec.sections, old, name));
    },
  },
  {
    name: "add, remove or rename an enum value",
    apply(spec, pick) {
      const lists = Object.values(mapOf(spec.sections["types"])).flatMap((type) => {
        const values = mapOf(type)["enum"];
        return Array.isArray(values) ? [values] : [];
      });
      const values = pick(lists);
      const value = mapOf(pick(values ?? []) ?? {});
      const kind = pick(["add", "remove", "rename"]);
      if (kind === "add") values?.push({ value: `VALUE_${spec.count}`, doc: "New." });
      else if (kind === "remove") values?.splice(values.indexOf(value), 1);
      else {
        value["renamedFrom"] = value["value"] ?? "";
        value["value"] = `RENAMED_${spec.count}`;
      }
    },
  },
  {
    name: "change the errors of a method",
    apply(spec, pick) {
      const method = mapOf(pick(Object.values(methodsOf(spec))) ?? {});
      const errors = mapOf(method["errors"] ?? {});
      const code = pick(Object.keys(mapOf(spec.sections["errors"]))) ?? "";
      if (code in errors) delete errors[code];
      else errors[code] = {};
      method["errors"] = errors;
    },
  },
];

function methodsOf(spec: EditableSpec): JsonMap {
  return mapOf(spec.sections["methods"]);
}

function servicesOf(spec: EditableSpec): JsonMap {
  return mapOf(mapOf(spec.sections["interface"])["services"]);
}

function enveloped(spec: EditableSpec): readonly string[] {
  return Object.keys(methodsOf(spec)).filter((name) => name.includes("."));
}

function plainMethod(): JsonMap {
  return {
    doc: "A new method.",
    section: "9.9",
    effect: "read",
    auth: ["signature", "keyId", "credential"],
    payload: { fields: [{ name: "ID", type: "string", doc: "What it is about." }] },
    result: { fields: [{ name: "ok", type: "boolean", doc: "Whether it is so." }] },
  };
}

function removeMethod(spec: EditableSpec, name: string): void {
  spec.removed.push({ name, method: structuredClone(methodsOf(spec)[name] ?? null) });
  delete methodsOf(spec)[name];
  for (const machine of Object.values(mapOf(spec.sections["states"] ?? {}))) {
    const transitions = mapOf(machine)["transitions"];
    if (Array.isArray(transitions))
      for (const transition of transitions)
        if (mapOf(transition)["by"] === name) delete mapOf(transition)["by"];
  }
}

function renameMethod(spec: EditableSpec, pick: Pick, isSaid: boolean): void {
  const old = pick(Object.keys(methodsOf(spec)));
  if (old === undefined) return;
  const service = old.includes(".") ? `${old.split(".")[0]}.` : "";
  renameTo(spec, old, `${service}${pick(["Find", "Seek", "Fetch", "Make", "delete"])}${spec.count}`, isSaid);
}

function renameTo(spec: EditableSpec, old: string, name: string, isSaid: boolean): void {
  const methods = methodsOf(spec);
  if (methods[name] !== undefined || old === name) return;
  rekey(methods, old, name);
  const method = mapOf(methods[name]);
  if (isSaid) method["renamedFrom"] = old;
  else {
    delete method["renamedFrom"];
    spec.removed.push({ name: old, method: structuredClone(method) });
  }
  for (const machine of Object.values(mapOf(spec.sections["states"] ?? {}))) {
    const transitions = mapOf(machine)["transitions"];
    if (Array.isArray(transitions))
      for (const transition of transitions)
        if (mapOf(transition)["by"] === old) mapOf(transition)["by"] = name;
  }
}

/** The lists of fields of all types, payloads, forms and results. */
function fieldLists(spec: EditableSpec): readonly Json[][] {
  const lists: Json[][] = [];
  const visit = (value: Json): void => {
    if (Array.isArray(value)) return value.forEach(visit);
    if (typeof value !== "object" || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      if (key === "fields" && Array.isArray(inner)) lists.push(inner);
      visit(inner);
    }
  };
  visit(spec.sections["types"] ?? null);
  visit(spec.sections["methods"] ?? null);
  return lists;
}

function withTypeNamed(value: Json, old: string, name: string, key = ""): Json {
  if (typeof value === "string" && ["type", "payload", "result"].includes(key)) {
    if (value === old) return name;
    return value === `array of ${old}` ? `array of ${name}` : value;
  }
  if (Array.isArray(value)) return value.map((item) => withTypeNamed(item, old, name));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([inner, item]) => [inner, withTypeNamed(item, old, name, inner)]),
  );
}

/** Gives an entry of a mapping another key, in its place. */
function rekey(map: JsonMap, old: string, name: string): void {
  const entries = Object.entries(map);
  for (const key of Object.keys(map)) delete map[key];
  for (const [key, value] of entries) map[key === old ? name : key] = value;
}

function mapOf(value: unknown): JsonMap {
  if (!isMap(value)) throw new Error("not a mapping");
  return value;
}

function isMap(value: unknown): value is JsonMap {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
