export { createMemoryStore } from "./store.ts";
