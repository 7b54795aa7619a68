import { pathToFileURL } from "node:url";
import { join } from "node:path";
import type * as z from "zod";
import type { PayloadValidator } from "../../runtime/contract/index.ts";
import type { ServiceModel } from "../../generator/model/service-model.ts";
import type { FileDraft } from "../../generator/targets/emitter.ts";
import { emitter as support } from "../../generator/targets/support/index.ts";
import { emitter as validators } from "../../generator/targets/validators/index.ts";
import { emitter as zodSchemas } from "../../generator/targets/zod/index.ts";
import { createProject } from "../unit/emit-project.ts";

/** The generated judges of values for an interface, loaded from their own folder. */
export interface CheckedInterface {
  /** The folder that holds it, and below it the folder of the interface. */
  readonly root: string;
  readonly out: string;
  /** The validator of a module below `validators/`: `payloads/validateGetAccountPayload`. */
  validator(path: string): Promise<PayloadValidator>;
  /** The zod schema of a name. */
  zodSchema(name: string): Promise<z.ZodType>;
  remove(): Promise<void>;
}

/**
 * Emits the validators and the zod schemas of a model into a folder and loads them from there. What is committed is
 * loaded as it is: `ledger-rpc check` holds it to its spec.
 */
export async function checkedInterface(model: ServiceModel): Promise<CheckedInterface> {
  const out = `generated/${model.name}`;
  const project = committed.includes(model.name)
    ? { root: join(import.meta.dirname, "../.."), remove: () => Promise.resolve() }
    : await createProject(draftsOf(model, out));
  const modules = new Map<string, Promise<unknown>>();
  const load = (path: string): Promise<unknown> => {
    const module = modules.get(path) ?? import(pathToFileURL(join(project.root, out, path)).href);
    modules.set(path, module);
    return module;
  };
  return {
    root: project.root,
    out,
    async validator(path) {
      const [module = "", name = ""] = path.split("/");
      return memberOf(await load(`validators/${module}.js`), name, isValidator);
    },
    zodSchema: async (name) => memberOf(await load("schemas.ts"), name, isZodSchema),
    remove: project.remove,
  };
}

const committed: readonly string[] = ["ledger"];

function draftsOf(model: ServiceModel, out: string): readonly FileDraft[] {
  const layout = { out, handlers: `handlers/${model.name}`, contract: "runtime/contract/index.ts" };
  return [support, validators, zodSchemas].flatMap((emitter) => emitter.emit(model, layout));
}

function memberOf<T>(module: unknown, name: string, is: (value: unknown) => value is T): T {
  const member = Object.entries(module ?? {}).find(([key]) => key === name)?.[1];
  if (!is(member)) throw new Error(`the module exports no ${name} of the right kind`);
  return member;
}

function isValidator(value: unknown): value is PayloadValidator {
  return typeof value === "function";
}

function isZodSchema(value: unknown): value is z.ZodType {
  return typeof value === "object" && value !== null && "safeParse" in value;
}
