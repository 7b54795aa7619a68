import { adminInterface } from "../../generated/admin/methods.ts";
import { adminHandlers } from "../operations/admin/interface.ts";
import type { InterfaceRow } from "./application.ts";

export { adminHandlers };

/**
 * Administration of any application: users, subscriptions, deliveries, mails, audit. An application that lists it among
 * its interfaces serves it at `admin.host` and `admin.port`, where `admin.interface` is on. Its users are managed by commands: `users --interface admin`.
 */
export const administration: InterfaceRow = {
  descriptor: adminInterface,
  handlers: { ...adminHandlers() },
  isManagedByCommands: true,
  isOptional: true,
};
