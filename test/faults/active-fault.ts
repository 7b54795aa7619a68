import type { Fault } from "./fault.ts";
import { faults } from "./faults/index.ts";

const id = process.env["FAULT"] ?? "";

/** The fault that this process has; undefined where it has none. */
export const activeFault: Fault | undefined = faults.find((fault) => fault.id === id);

if (id !== "" && activeFault === undefined) throw new Error(`there is no fault ${id}`);
