export {
  createValidate,
  refusedPayload,
  type Validate,
  type ValidCall,
  documentedName,
  missingFields,
  readByShape,
  schemaFaults,
  unknownFields,
} from "./validate.ts";
