import { administration } from "ledger-rpc-runtime/administration";
import { defineApplication } from "ledger-rpc-runtime/server";
import { PROJECT_CAMELInterface } from "../generated/methods.ts";
import { PROJECT_CAMELHandlers } from "./handlers/index.ts";
import { tasks } from "./tasks.ts";

/** What the service is: its interfaces, and what it keeps. */
export const application = defineApplication({
  name: "PROJECT_NAME",
  interfaces: [
    {
      descriptor: PROJECT_CAMELInterface,
      handlers: { ...PROJECT_CAMELHandlers },
      generated: "generated",
      isPublic: true,
    },
    // For operators, where `admin.interface` is on: users, keys, subscriptions, deliveries, mails, the audit log.
    administration,
  ],
  schema: { tables: [tasks], migrations: [] },
});
