import type { Reporter } from "../diagnostics/index.ts";
import type { LoadedSpec, Scope } from "./scope.ts";
import type { AuthSpec, FaultsSpec, InterfaceSpec, Name, Spec } from "../spec.ts";
import { omitUndefined } from "../../../conformance/base/omit-undefined.ts";

/** A spec that another one uses, and where it says so. */
export interface UsedSpec {
  readonly use: Name;
  readonly loaded: LoadedSpec;
}

/** Own names and those of the used specs in one scope; a name that two of them define is reported. */
export function scopeOf(
  spec: Spec,
  own: InterfaceSpec,
  used: readonly UsedSpec[],
  reporter: Reporter,
): Scope {
  for (const { use, loaded } of used) {
    const { wire: other } = loaded.interface;
    if (other.protocol === own.wire.protocol) continue;
    const params = { protocol: own.wire.protocol, other: other.protocol };
    reporter.report("uses-other-protocol", use.span, params);
  }
  const named = <T>(
    what: string,
    pick: (scope: Scope) => ReadonlyMap<string, T>,
    list: readonly T[],
    nameOf: (item: T) => Name,
  ) =>
    merge(
      { what, nameOf, own: list, used: used.map(({ use, loaded }) => ({ use, items: pick(loaded.scope) })) },
      reporter,
    );
  const auth = own.auth ?? inherited(used, "auth", (scope) => scope.auth, reporter);
  const faults = own.faults ?? inherited(used, "faults", (scope) => scope.faults, reporter);
  const authOwner =
    own.auth === undefined
      ? used.find(({ loaded }) => loaded.scope.auth === auth)?.loaded.scope.authOwner
      : own;
  return omitUndefined({
    types: named(
      "type",
      (scope) => scope.types,
      spec.types,
      (type) => type.name,
    ),
    errors: named(
      "error",
      (scope) => scope.errors,
      spec.errors,
      (error) => error.code,
    ),
    events: named(
      "event",
      (scope) => scope.events,
      spec.events,
      (event) => event.name,
    ),
    auth,
    faults,
    authOwner,
  });
}

interface Merge<T> {
  readonly what: string;
  readonly nameOf: (item: T) => Name;
  readonly own: readonly T[];
  readonly used: readonly { readonly use: Name; readonly items: ReadonlyMap<string, T> }[];
}

function merge<T>({ what, nameOf, own, used }: Merge<T>, reporter: Reporter): ReadonlyMap<string, T> {
  const merged = new Map<string, T>();
  for (const { use, items } of used) {
    for (const [key, item] of items) {
      const other = merged.get(key);
      if (other === undefined) merged.set(key, item);
      else if (other !== item) {
        const related = { span: nameOf(other).span, message: "one of the two" };
        reporter.report("uses-collision", use.span, { what, name: key }, related);
      }
    }
  }
  const foreign = new Set(merged.keys());
  for (const item of own) {
    const name = nameOf(item);
    const other = merged.get(name.value);
    if (other !== undefined && foreign.has(name.value)) {
      const related = { span: nameOf(other).span, message: "defined there" };
      reporter.report("uses-collision", name.span, { what, name: name.value }, related);
    }
    merged.set(name.value, item);
  }
  return merged;
}

/** The part that exactly one of the used specs gives. */
function inherited<T extends AuthSpec | FaultsSpec>(
  used: readonly UsedSpec[],
  key: "auth" | "faults",
  pick: (scope: Scope) => T | undefined,
  reporter: Reporter,
): T | undefined {
  let found: T | undefined;
  for (const { use, loaded } of used) {
    const given = pick(loaded.scope);
    if (found !== undefined && given !== undefined && given !== found) {
      const related = { span: found.span, message: "one of the two" };
      reporter.report("uses-ambiguous", use.span, { key }, related);
    }
    found ??= given;
  }
  return found;
}
