export { createValidate, refusedPayload, type Validate, type ValidCall } from "./validate.ts";
export { documentedName } from "./document-order.ts";
export { missingFields } from "./missing-fields.ts";
export { readByShape } from "./read-by-shape.ts";
export { schemaFaults } from "./schema-faults.ts";
export { unknownFields } from "./unknown-fields.ts";
