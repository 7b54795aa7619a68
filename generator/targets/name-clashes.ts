import { diagnosticOf, type Diagnostic } from "../language/diagnostics/index.ts";
import type { ServiceModel } from "../model/service-model.ts";
import { interfaceNames } from "../print/interface-names.ts";
import type { Span } from "../language/source/index.ts";

/** A name of generated code, and the item of the spec that it is for. */
export interface CodeName {
  readonly name: string;
  readonly of: Item;
}

interface Item {
  /** As the spec has it. */
  readonly name: string;
  readonly span: Span;
  /** Whether it is the interface as a whole, whose names nothing takes. */
  readonly isWhole?: true;
}

/**
 * The names that two items of a spec would share, each at the later of the two. A suffix would rename what exists when
 * something is added, so people choose the name.
 */
export function clashes(
  names: readonly CodeName[],
  choose: "codeName" | "paging.name" = "codeName",
): readonly Diagnostic[] {
  const groups = Map.groupBy(names, ({ name }) => name);
  return [...groups.values()].flatMap((group) => {
    const [first, ...others] = group.toSorted(inReadingOrder);
    if (first === undefined) return [];
    return others
      .filter(({ of }) => of.span !== first.of.span)
      .map(({ name, of }) =>
        diagnosticOf(
          "code-name-taken",
          { name: of.name, other: first.of.name, codeName: name, choose },
          { span: of.span, related: { span: first.of.span, message: `\`${first.of.name}\` is here` } },
        ),
      );
  });
}

function inReadingOrder(a: CodeName, b: CodeName): number {
  if (a.of.isWhole !== b.of.isWhole) return a.of.isWhole === true ? -1 : 1;
  const [path, other] = [a.of.span.source.path, b.of.span.source.path];
  if (path !== other) return path < other ? -1 : 1;
  return a.of.span.start - b.of.span.start;
}

/** The names that two items of the interface would share, in types, functions and files. One for each item is enough. */
export function sharedNames(model: ServiceModel): readonly Diagnostic[] {
  const names = interfaceNames(model);
  const errors = model.errors.map((error) => ({ ...error, name: error.code }));
  const kinds = [model.types, model.methods, model.services, model.events, errors];
  const files = kinds.flatMap((items) => clashes(items.map((item) => ({ name: item.names.file, of: item }))));
  const values = [model.methods, model.services].flatMap((items) =>
    clashes(items.map((item) => ({ name: item.names.value, of: item }))),
  );
  const methodTypes = model.methods.flatMap((method) => {
    const { payload, result, handler, errorCode, fieldPointer, security, form } = names.of(method);
    const forms = method.payload.kind === "forms" ? method.payload.forms : [];
    return [
      ...[payload, result, handler, errorCode, fieldPointer, security].map((name) => ({ name, of: method })),
      ...forms.map((one) => ({ name: form(one), of: one })),
    ];
  });
  const types = clashes([
    ...methodTypes,
    ...model.types.map((type) => ({ name: type.names.type, of: type })),
    ...model.events.map((event) => ({ name: names.ofEvent(event), of: event })),
    ...errors.flatMap((error) =>
      error.data === undefined ? [] : [{ name: names.ofErrorData(error), of: error }],
    ),
  ]);
  const served = (model.serves ?? []).flatMap((revision) => sharedNames(revision.model));
  return [...onePerItem([...types, ...values, ...files]), ...served];
}

/** The findings, with the first shared name of each item alone. */
export function onePerItem(found: readonly Diagnostic[]): readonly Diagnostic[] {
  const said = new Set<Span>();
  return found.filter(({ code, span }) => {
    if (code !== "code-name-taken" || span === undefined) return true;
    const isFirst = !said.has(span);
    said.add(span);
    return isFirst;
  });
}
