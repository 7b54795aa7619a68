export { createDispatch, type Dispatch } from "./dispatch.ts";
export type { EventOrigin } from "./context.ts";
