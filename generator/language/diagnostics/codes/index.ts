import { configCodes } from "./config.ts";
import { constraintCodes } from "./constraints.ts";
import { exceptionCodes } from "./diff-exceptions.ts";
import { errorAndStateCodes } from "./errors-and-states.ts";
import { fieldCodes } from "./fields.ts";
import { fileCodes } from "./files.ts";
import { interfaceCodes } from "./interface.ts";
import { unusedDefinitionCodes } from "./unused-definitions.ts";
import { methodFieldCodes } from "./method-fields.ts";
import { methodCodes } from "./methods.ts";
import { outputCodes } from "./output.ts";
import { protocolCodes } from "./protocols.ts";
import { referenceCodes } from "./references.ts";
import { securityCodes } from "./security.ts";
import { structureCodes } from "./structure.ts";
import { testMetadataCodes } from "./test-metadata.ts";
import { typeCodes } from "./types.ts";

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
