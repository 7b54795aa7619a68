export { createDispatch, type Dispatch } from "./dispatch.ts";
export type { ToldIn } from "./context.ts";
