import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import type { FileDraft } from "../../generator/targets/index.ts";
import { adapterDraft } from "../../generator/targets/revisions/adapter-module.ts";
import { revisionLayout } from "../../generator/targets/revisions/layout.ts";
import { adapterPlan, type AdapterPlan } from "../../generator/targets/revisions/plan.ts";
import { shapeNames } from "../../generator/targets/shapes/shape-names.ts";
import { shapesModule } from "../../generator/targets/shapes/index.ts";
import {
  adapterTypesPath,
  emitter as types,
  typesDraft,
  typesPath,
} from "../../generator/targets/types/index.ts";
import type { ServiceModel } from "../../generator/model/index.ts";
import type { ObjectShape, ServedRevision } from "../../runtime/contract/index.ts";
import { cachedFolder } from "../cached-folder.ts";

const repository = join(import.meta.dirname, "../..");
const contract = "runtime/contract/index.ts";

/** Adapters as files, ready to be compiled and imported. */
export interface RevisionModules {
  readonly root: string;
  /** Writes the adapter between two revisions; what it needs besides is written as far as it is looked at. */
  add(name: string, old: ServiceModel, recent: ServiceModel): AddedRevision;
  dispose(): void;
}

export interface AddedRevision {
  readonly plan: AdapterPlan;
  load(byHand?: object): Promise<LoadedRevision>;
}

export interface LoadedRevision {
  readonly revision: ServedRevision;
  readonly earlier: (name: "payload" | "result", method: string) => ObjectShape;
  readonly later: (name: "payload" | "result", method: string) => ObjectShape;
}

export function revisionModules(): RevisionModules {
  const root = cachedFolder("revisions-");
  writeFileSync(join(root, "package.json"), '{ "type": "module" }\n');
  cpSync(join(repository, "runtime/contract"), join(root, "runtime/contract"), { recursive: true });
  const write = ({ path, text }: Pick<FileDraft, "path" | "text">): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };

  return {
    root,
    add(name, old, recent) {
      const plan = adapterPlan(old, recent);
      const layout = { out: `generated/${name}`, handlers: `handlers/${name}`, contract };
      const earlier = revisionLayout(layout, old.revision);
      const folder = "../../../../runtime/contract/index.ts";
      const value = `${old.name}Interface`;
      write({
        path: `${earlier.out}/methods.ts`,
        text: `import type { SignedInterfaceDescriptor } from "${folder}";\nexport declare const nothing: SignedInterfaceDescriptor;\nexport const ${value}: SignedInterfaceDescriptor = JSON.parse("{}");\n`,
      });
      for (const draft of types.emit(old, earlier)) write(draft);
      for (const draft of types.emit(recent, layout)) write(draft);
      const typesOfAdapter = adapterTypesPath(recent, layout);
      if (typesOfAdapter !== typesPath(layout)) write(typesDraft(recent, layout, typesOfAdapter));
      write(shapesModule(old, earlier, true));
      write(shapesModule(recent, layout, true));
      write(adapterDraft(plan, recent, layout));
      return {
        plan,
        async load(byHand) {
          const load = async (path: string): Promise<unknown> => import(pathToFileURL(join(root, path)).href);
          const { revision } = Adapter.parse(await load(`${earlier.out}/adapter.ts`));
          const shapes = [await load(`${earlier.out}/shapes.ts`), await load(`${layout.out}/shapes.ts`)];
          const shapeIn =
            (model: ServiceModel, module: unknown) => (part: "payload" | "result", method: string) => {
              const found = model.methods.find((each) => each.name === method);
              if (found === undefined) throw new Error(`no method ${method}`);
              const shape: unknown = Reflect.get(Object(module), shapeNames(model)[part](found));
              if (!isShape(shape)) throw new Error(`no shape of ${method}`);
              return shape;
            };
          const made = typeof revision === "function" ? revision(byHand ?? {}) : revision;
          if (!isRevision(made)) throw new Error(`${name} is no revision`);
          return {
            revision: made,
            earlier: shapeIn(old, shapes[0]),
            later: shapeIn(recent, shapes[1]),
          };
        },
      };
    },
    dispose: () => rmSync(root, { recursive: true, force: true }),
  };
}

const Adapter = z.looseObject({
  revision: z.union([
    z.custom<(byHand: unknown) => unknown>((value) => typeof value === "function"),
    z.looseObject({}),
  ]),
});

function isShape(value: unknown): value is ObjectShape {
  return typeof value === "object" && value !== null && "fields" in value;
}

function isRevision(value: unknown): value is ServedRevision {
  return typeof value === "object" && value !== null && "methods" in value && "events" in value;
}
