export { createDispatch, type Dispatch } from "./dispatch.ts";
