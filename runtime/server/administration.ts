import { fileURLToPath } from "node:url";
import { adminInterface } from "../../generated/admin/methods.ts";
import { adminHandlers } from "../operations/admin/interface.ts";
import type { InterfaceRow } from "./application.ts";

export { adminHandlers };

/** The console of operators, with what it loads: pages, the generated client, and what forms are made from. */
const adminConsole: InterfaceRow["console"] = {
  path: "/console",
  root: fileURLToPath(new URL("../..", import.meta.url)),
  index: "web/console/index.html",
  files: [
    "web/console/",
    "web/shared/",
    "generated/admin/client/",
    "generated/admin/validators/",
    "generated/admin/json-schema.json",
  ],
};

/**
 * Administration of any application: users, subscriptions, deliveries, mails, audit. An application that lists it among
 * its interfaces serves it at `admin.host` and `admin.port`, with a console, where `admin.interface` is on. Its users are
 * managed by commands: `users --interface admin`.
 */
export const administration: InterfaceRow = {
  descriptor: adminInterface,
  handlers: { ...adminHandlers() },
  isManagedByCommands: true,
  isOptional: true,
  console: adminConsole,
};
