import type { Assumptions } from "./model.ts";

/** docs/internals/measurements.md says where each value is from. */
export const assumptions: Assumptions = {
  seed: 1,
  accounts: 1e9,
  callsPerSecond: 1e5,
  institutions: 20_000,
  skew: 0.7,
  operations: [
    { name: "GetAccount", share: 0.6, serviceMs: 0.58, databaseMs: 0.17, writes: false },
    { name: "GetTransactionsByRef", share: 0.15, serviceMs: 0.81, databaseMs: 0.28, writes: false },
    { name: "ListAccounts", share: 0.1, serviceMs: 1.13, databaseMs: 0.75, writes: false },
    { name: "AddAccount", share: 0.15, serviceMs: 2.54, databaseMs: 2.26, writes: true },
  ],
  serviceCores: 16,
  databaseCores: 16,
  commitMs: 2,
  roundTrips: { read: 2, write: 8 },
  roundTripMs: 0.3,
  repeated: 0.02,
  misses: 0.3,
  missMs: 0.2,
  bytesPerAccount: 12_000,
  copies: 2,
  dollarsPerCoreMonth: 30,
  dollarsPerGbMonth: 0.12,
  seconds: 2,
};
