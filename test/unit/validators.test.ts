import { runs } from "../seed.ts";
import { describeValidators } from "./validators-suite.ts";

/** Reported errors: validators.ci.test.ts. All 57,000 vectors: validators.nightly.test.ts. */
describeValidators({ groups: runs(30), most: runs(50), reported: 0 });
