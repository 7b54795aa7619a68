import type { Reading } from "../values/index.ts";
import type { Suite } from "../suite/suite.ts";
import type { ServiceSettings } from "./error-findings.ts";

/** What answers are checked against. */
export interface CheckContext {
  readonly suite: Suite;
  readonly settings: ServiceSettings;
  readonly reading: Reading;
}
