export { memoryAdapter } from "./adapter.ts";
export { createMemoryStore, type MemoryStore } from "./store.ts";
