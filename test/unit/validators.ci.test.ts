import { describeValidators } from "./validators-suite.ts";

describeValidators({ groups: 42, most: 25, reported: 25 });
