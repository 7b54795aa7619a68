import { fileCodes } from "./files.ts";
import { interfaceCodes } from "./interface.ts";
import { typeCodes } from "./types.ts";

/** Every code that the generator's front end can give. */
export const catalogue = {
  ...fileCodes,
  ...interfaceCodes,
  ...typeCodes,
};
