import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import * as z from "zod";

// Read straight from the files: what the generator makes of them must not excuse them.

const decision = z.union([z.string(), z.array(z.string())]).optional();
const documented = { doc: z.string().optional(), section: z.string().optional(), decision };

const fieldGroups = z.array(z.array(z.string())).default([]);

export interface SpecField {
  readonly name: string;
  readonly type: string;
  readonly fields: readonly SpecField[];
  readonly optional: boolean;
  readonly const?: string | number | boolean | undefined;
  readonly requiredWhen?: { readonly field: string; readonly is: readonly unknown[] } | undefined;
  readonly spellings: readonly string[];
  readonly alsoSentAs?: string | undefined;
  readonly decision?: string | readonly string[] | undefined;
}

const field: z.ZodType<SpecField> = z.looseObject({
  ...documented,
  name: z.string(),
  type: z.string(),
  get fields() {
    return z.array(field).default([]);
  },
  optional: z.boolean().default(false),
  const: z.union([z.string(), z.number(), z.boolean()]).optional(),
  requiredWhen: z.object({ field: z.string(), is: z.array(z.unknown()) }).optional(),
  spellings: z.array(z.string()).default([]),
  alsoSentAs: z.string().optional(),
});

const object = {
  fields: z.array(field).default([]),
  atLeastOneOf: fieldGroups,
  exactlyOneOf: fieldGroups,
};
const enumValue = z.looseObject({ ...documented, value: z.string() });
const type = z.looseObject({
  ...documented,
  ...object,
  enum: z.array(enumValue).optional(),
  type: z.string().optional(),
});
const objectOrName = z.union([z.string(), z.looseObject({ ...documented, ...object })]);
const form = z.looseObject({ ...documented, ...object });
/** A payload with forms has its fields in the forms. */
const payload = z.union([
  z.string(),
  z.looseObject({ ...documented, ...object, forms: z.record(z.string(), form).default({}) }),
]);
const methodError = z.looseObject({
  section: z.string().optional(),
  message: z.string().optional(),
  condition: z.string().optional(),
});
const example = z.object({
  name: z.string(),
  payload: z.unknown(),
  result: z.unknown().optional(),
  error: z.string().optional(),
});
const method = z.looseObject({
  ...documented,
  effect: z.enum(["read", "set", "create"]),
  auth: z.array(z.string()).optional(),
  jsonrpc: z.enum(["present", "absent"]).default("present"),
  flat: z.looseObject({ selectedBy: z.array(z.string()).default([]) }).optional(),
  payload,
  result: objectOrName,
  errors: z.record(z.string(), methodError).default({}),
  examples: z.array(example).default([]),
});
const error = z.looseObject({
  ...documented,
  message: z.string(),
  condition: z.string(),
  action: z.string(),
});
const transition = z.looseObject({
  ...documented,
  from: z.string(),
  to: z.string(),
  by: z.string().optional(),
  condition: z.string().optional(),
  effects: z.array(z.string()).default([]),
});
const header = z.looseObject({ ...documented, format: z.string() });
const member = z.looseObject({ ...documented, missing: z.string() });
const interfaceSchema = z.looseObject({
  ...documented,
  title: z.string(),
  revision: z.string(),
  path: z.string(),
  services: z.record(z.string(), z.looseObject(documented)).default({}),
  auth: z
    .looseObject({ members: z.record(z.string(), member), headers: z.record(z.string(), header) })
    .optional(),
  faults: z.record(z.string(), z.string()).optional(),
});

const requirement = z.strictObject({
  ...documented,
  doc: z.string(),
  cases: z.array(z.string()).optional(),
  untested: z.string().optional(),
});

const file = z.strictObject({
  interface: interfaceSchema.optional(),
  types: z.record(z.string(), type).default({}),
  methods: z.record(z.string(), method).default({}),
  errors: z.record(z.string(), error).default({}),
  events: z.record(z.string(), z.looseObject({ ...documented, payload: objectOrName })).default({}),
  states: z
    .record(z.string(), z.looseObject({ ...documented, type: z.string(), transitions: z.array(transition) }))
    .default({}),
  rules: z.record(z.string(), z.looseObject({ ...documented, doc: z.string() })).default({}),
  resources: z.record(z.string(), z.looseObject({ ...documented, doc: z.string() })).default({}),
  scenarios: z.record(z.string(), z.looseObject({ ...documented, doc: z.string() })).default({}),
  requirements: z.record(z.string(), requirement).default({}),
});

type File = z.infer<typeof file>;
export type SpecFiles = Omit<File, "interface"> & { readonly interface: z.infer<typeof interfaceSchema> };
export type SpecMethod = z.infer<typeof method>;
export type SpecObject = z.infer<typeof form>;

export function formsOf({ payload }: SpecMethod): readonly SpecObject[] {
  return typeof payload === "string" ? [] : Object.values(payload.forms);
}

/** All files under a spec folder as one, read once for all test files of a process. */
export function readSpecFiles(folder: string): SpecFiles {
  const known = read.get(folder) ?? mergedFiles(folder);
  read.set(folder, known);
  return known;
}

const read = new Map<string, SpecFiles>();

function mergedFiles(folder: string): SpecFiles {
  const files = globSync("**/*.yaml", { cwd: folder }).map((path) =>
    file.parse(parse(readFileSync(join(folder, path), "utf8"))),
  );
  const merged = <K extends Exclude<keyof File, "interface">>(key: K): File[K] =>
    Object.assign({}, ...files.map((each) => each[key]));
  return {
    interface: interfaceSchema.parse(files.find((each) => each.interface !== undefined)?.interface),
    types: merged("types"),
    methods: merged("methods"),
    errors: merged("errors"),
    events: merged("events"),
    states: merged("states"),
    rules: merged("rules"),
    resources: merged("resources"),
    scenarios: merged("scenarios"),
    requirements: merged("requirements"),
  };
}

/** Every `decision` anywhere under a spec folder. */
export function decisionsIn(folder: string): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    else if (typeof value === "object" && value !== null) {
      for (const [key, child] of Object.entries(value)) {
        if (key === "decision") for (const id of [child].flat()) found.add(String(id));
        else visit(child);
      }
    }
  };
  for (const path of globSync("**/*.yaml", { cwd: folder }))
    visit(parse(readFileSync(join(folder, path), "utf8")));
  return found;
}
