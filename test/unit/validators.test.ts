import { runs } from "../seed.ts";
import { describeValidators } from "./validators-suite.ts";

/** All 57,000 vectors: validators.nightly.test.ts. */
describeValidators(runs(100), runs(50));
