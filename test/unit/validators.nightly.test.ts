import { describeValidators } from "./validators-suite.ts";

describeValidators(Number.POSITIVE_INFINITY, 50);
