import { ownSpecs } from "../vectors/models.ts";
import { describeVectors } from "./vectors-suite.ts";

for (const spec of ownSpecs.filter((each) => each.startsWith("spec/"))) describeVectors(spec);
