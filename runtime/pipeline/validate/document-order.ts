import { pointerNames, type FieldFault } from "./field-fault.ts";
import type { ShapePlan } from "./shape-plan.ts";

/** The faults in document order, one for each field: the first found of it (D-05). */
export function inDocumentOrder(faults: readonly FieldFault[], plan: ShapePlan): readonly FieldFault[] {
  const byPointer = new Map<string, FieldFault>();
  for (const fault of faults) if (!byPointer.has(fault.pointer)) byPointer.set(fault.pointer, fault);
  return [...byPointer.values()]
    .map((fault) => ({ fault, place: placeOf(fault.pointer, plan) }))
    .toSorted((a, b) => comparePlaces(a.place, b.place))
    .map(({ fault }) => fault);
}

/** The documented name of the field that a pointer leads to: the last of its names that is no array index. */
export function documentedName(pointer: string): string | undefined {
  return pointerNames(pointer).findLast((name) => !/^[0-9]+$/.test(name));
}

/** Where a pointer leads, as the places of its fields and items; unknown fields come last. */
function placeOf(pointer: string, root: ShapePlan): readonly number[] {
  let plan: ShapePlan | undefined = root;
  return pointerNames(pointer).map((name) => {
    if (/^[0-9]+$/.test(name)) return Number(name);
    const field = plan?.byName.get(name);
    plan = field?.plan();
    return field?.order ?? Number.MAX_SAFE_INTEGER;
  });
}

function comparePlaces(a: readonly number[], b: readonly number[]): number {
  for (const [index, place] of a.entries()) {
    const other = b[index];
    if (other === undefined) return 1;
    if (place !== other) return place - other;
  }
  return a.length - b.length;
}
