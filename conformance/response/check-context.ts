import type { Reading } from "../values/index.ts";
import type { Suite } from "../suite/suite.ts";
import type { ServiceSettings } from "./error-findings.ts";

/** The context that answers are checked in. */
export interface CheckContext {
  readonly suite: Suite;
  readonly settings: ServiceSettings;
  readonly reading: Reading;
}
