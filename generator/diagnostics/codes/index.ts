import { constraintCodes } from "./constraints.ts";
import { errorAndStateCodes } from "./errors-and-states.ts";
import { fieldCodes } from "./fields.ts";
import { fileCodes } from "./files.ts";
import { interfaceCodes } from "./interface.ts";
import { looseEndCodes } from "./unused-definitions.ts";
import { methodFieldCodes } from "./method-fields.ts";
import { methodCodes } from "./methods.ts";
import { referenceCodes } from "./references.ts";
import { structureCodes } from "./structure.ts";
import { trialCodes } from "./test-metadata.ts";
import { typeCodes } from "./types.ts";

/** Every code that the generator's front end can give. */
export const catalogue = {
  ...fileCodes,
  ...structureCodes,
  ...interfaceCodes,
  ...referenceCodes,
  ...typeCodes,
  ...fieldCodes,
  ...constraintCodes,
  ...methodCodes,
  ...methodFieldCodes,
  ...errorAndStateCodes,
  ...looseEndCodes,
  ...trialCodes,
};
