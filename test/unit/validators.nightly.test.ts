import { describeValidators } from "./validators-suite.ts";

const all = Number.POSITIVE_INFINITY;
describeValidators({ groups: all, most: all, reported: 50 });
