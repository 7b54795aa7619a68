import { configCodes, exceptionCodes } from "./config.ts";
import { constraintCodes } from "./constraints.ts";
import { errorAndStateCodes, testMetadataCodes, unusedDefinitionCodes } from "./definitions.ts";
import { fileCodes, referenceCodes } from "./files.ts";
import { interfaceCodes } from "./interface.ts";
import { methodCodes, methodFieldCodes } from "./methods.ts";
import { outputCodes } from "./output.ts";
import { protocolCodes } from "./protocols.ts";
import { securityCodes } from "./security.ts";
import { structureCodes } from "./structure.ts";
import { fieldCodes, typeCodes } from "./types.ts";

/** Every code of a mistake in a spec. */
export const specCodes = {
  ...fileCodes,
  ...structureCodes,
  ...interfaceCodes,
  ...protocolCodes,
  ...securityCodes,
  ...referenceCodes,
  ...typeCodes,
  ...fieldCodes,
  ...constraintCodes,
  ...methodCodes,
  ...methodFieldCodes,
  ...errorAndStateCodes,
  ...unusedDefinitionCodes,
  ...testMetadataCodes,
};

/** Every code that the generator can give. */
export const codes = { ...specCodes, ...outputCodes, ...configCodes, ...exceptionCodes };
