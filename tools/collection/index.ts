import type { ServiceModel } from "../../generator/model/index.ts";
import { brunoFiles } from "./bruno.ts";
import { postmanFiles } from "./postman.ts";

export { unservedSchemes, variableOf } from "./requests.ts";

/** The formats of collections: files by path, and an environment where values of the variables are given. */
export const collectionFormats: Readonly<
  Record<
    string,
    (model: ServiceModel, values: Readonly<Record<string, string>> | undefined) => ReadonlyMap<string, string>
  >
> = { bruno: brunoFiles, postman: postmanFiles };
