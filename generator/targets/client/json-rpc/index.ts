import type { JsonRpcWireModel, ServiceModel } from "../../../model/service-model.ts";
import { typesModule } from "../../types/types-module.ts";
import { listsModule } from "../lists-module.ts";
import { packageFiles } from "../package-files.ts";
import { schemasModules } from "../schemas-module.ts";
import { clientModule, hasSockets, socketModule } from "./client-module.ts";
import { errorsModule } from "./errors-module.ts";
import { fixedModules } from "./fixed-modules.ts";
import { indexModule } from "./index-module.ts";
import { interfaceModule } from "./interface-module.ts";
import { standardNames } from "./names.ts";
import { operationsModule } from "./operations-module.ts";
import { readme } from "./readme.ts";
import { schemesModule } from "./schemes-module.ts";

/** The client of a standard interface: texts by file name. Schemas of zod only where zod is wanted: they import it. */
export function standardClient(
  model: ServiceModel,
  wire: JsonRpcWireModel,
  folder: string,
  wanted: { readonly zod: boolean; readonly fakes: boolean },
): Readonly<Record<string, string>> {
  const names = standardNames(model, wire);
  const overSockets = hasSockets(wire);
  const entries = ["index", ...(wanted.zod ? ["schemas"] : []), ...(wanted.fakes ? ["testing"] : [])];
  const hasLists = names.lists.length > 0;
  return {
    ...fixedModules(model, { hasSockets: overSockets, hasLists }),
    ...packageFiles(model, readme(model, wire, names, { hasFakes: wanted.fakes }), entries),
    ...(overSockets && { "websocket.ts": socketModule(model, names, folder) }),
    "client.ts": clientModule(model, names, folder),
    "error-classes.ts": errorsModule(model, names, folder),
    "index.ts": indexModule(model, names, { folder, hasSockets: overSockets }),
    "interface.ts": interfaceModule(model, wire, folder),
    ...(hasLists && { "lists.ts": listsModule(model, names.lists, folder) }),
    "operations.ts": operationsModule(model, folder),
    "schemes.ts": schemesModule(model, names, folder),
    ...(wanted.zod && schemasModules(model, folder)),
    "types.ts": typesModule(model, `${folder}/types.ts`, {
      money: "number",
      doubledSpellings: false,
      openEnums: true,
      presence: "payloads",
    }),
  };
}
