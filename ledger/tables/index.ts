export * from "./accounts.ts";
export * from "./parties.ts";
export * from "./transactions.ts";
