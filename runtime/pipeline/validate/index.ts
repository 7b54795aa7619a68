export { createValidate, type Validate, type ValidCall } from "./validate.ts";
export { documentedName } from "./document-order.ts";
