export { memoryAdapter } from "./adapter.ts";
export { createMemoryStore } from "./store.ts";
