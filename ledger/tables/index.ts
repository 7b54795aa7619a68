export * from "./accounts.ts";
export { listedAccount } from "./listed-account.ts";
export * from "./parties.ts";
export * from "./transactions.ts";
