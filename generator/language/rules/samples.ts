import { scalarSample } from "../../../conformance/samples/index.ts";
import { scalarShape } from "../shape-from.ts";
import { withSoundPattern } from "../value-shape.ts";
import type { RuleContext } from "./context.ts";

/** Texts that reading their pattern does not find: without an example there is nothing to try them with. */
export function checkSamples({ spec, objects, report }: RuleContext): void {
  for (const { shape, example } of [...spec.types, ...objects.flatMap(({ fields }) => fields)]) {
    if (example !== undefined || shape.kind !== "scalar") continue;
    const pattern = shape.constraints.find(({ key }) => key === "pattern");
    const own = withSoundPattern(scalarShape(shape));
    if (pattern === undefined || own.kind !== "string") continue;
    if (scalarSample(own, { direction: "request", resolve: () => own }) === undefined)
      report("no-sample", pattern.span, {});
  }
}
