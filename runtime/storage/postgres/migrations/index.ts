import type { MigrationStep } from "../../common/adapter.ts";
import { initial } from "./001-initial.ts";

/** All steps, oldest first. Forward only. */
export const migrations: readonly MigrationStep[] = [{ number: 1, name: "initial", sql: initial }];
