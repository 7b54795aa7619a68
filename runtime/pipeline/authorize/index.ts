export { authorize, type AuthorizedCall } from "./authorize.ts";
