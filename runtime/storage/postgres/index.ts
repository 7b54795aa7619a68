export { postgresAdapter } from "./adapter.ts";
