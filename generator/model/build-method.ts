import {
  bySectionThen,
  type LoadedSpec,
  type MethodErrorSpec,
  type MethodSpec,
  type PagingSpec,
  type PayloadSpec,
  type Scope,
} from "../language/index.ts";
import { modelOf } from "../protocols/models.ts";
import { groupingOf, operationAndService, type NameTable } from "./assign-names.ts";
import { documented } from "./shape.ts";
import { exampleValue, payloadExample } from "./examples.ts";
import type {
  ExampleModel,
  MethodErrorModel,
  MethodModel,
  Names,
  PagingModel,
  PayloadModel,
  RegistersKeyModel,
} from "./service-model.ts";
import { securityOf } from "./security.ts";
import { objectShapeOf, resultShapeOf } from "./shapes.ts";
import { omitUndefined } from "../../conformance/base/omit-undefined.ts";

export function buildMethod(spec: MethodSpec, loaded: LoadedSpec, table: NameTable): MethodModel {
  const name = spec.name.value;
  const names = table.methods.get(name);
  if (names === undefined) throw new Error(`no name was assigned to the method ${name}`);
  const { scope, interface: own } = loaded;
  return omitUndefined({
    ...documented(spec),
    name,
    ...operationAndService(name, groupingOf(own)),
    names,
    effect: spec.effect.value,
    path: spec.path?.value,
    transport: modelOf(own.wire.protocol).transport(spec, loaded),
    security: securityOf(spec, own),
    payload: payloadModel(spec.payload, scope, table.forms.get(name)),
    result: resultShapeOf(spec.result, scope),
    resultType: spec.result.kind === "ref" ? spec.result.type.value : undefined,
    errors: methodErrors(spec.errors, scope),
    emits: spec.emits.map((event) => event.value),
    paging: spec.paging && pagingModel(spec.paging),
    registersKey: spec.registersKey && registersKeyModel(spec.registersKey),
    examples: examplesOf(spec, scope),
    renamedFrom: spec.renamedFrom?.value,
  });
}

function pagingModel({
  page,
  first,
  cursor,
  next,
  size,
  sizeMax,
  filter,
  items,
  empty,
  name,
}: PagingSpec): PagingModel | undefined {
  const style =
    page === undefined ? cursor && next && { cursor: cursor.value, next: next.value } : { page: page.value };
  return (
    style &&
    omitUndefined({
      ...style,
      first,
      size: size?.value,
      sizeMax,
      filter: filter?.value,
      items: items.value,
      empty: empty?.value,
      name,
    })
  );
}

function registersKeyModel({ publicKey, keyId }: NonNullable<MethodSpec["registersKey"]>): RegistersKeyModel {
  return { publicKey: publicKey.value, keyId: keyId.value };
}

function payloadModel(
  payload: PayloadSpec,
  scope: Scope,
  names: ReadonlyMap<string, Names> | undefined,
): PayloadModel {
  if (payload.kind !== "forms") {
    const type = payload.kind === "ref" ? payload.type.value : undefined;
    return omitUndefined({ kind: "single", shape: objectShapeOf(payload, scope), type });
  }
  const forms = payload.forms.flatMap((form) => {
    const assigned = names?.get(form.name.value);
    if (assigned === undefined) return [];
    return {
      ...documented(form),
      name: form.name.value,
      names: assigned,
      shape: objectShapeOf(form.shape, scope),
    };
  });
  const sorted = forms.toSorted(bySectionThen((form) => form.name));
  return { kind: "forms", selectedBy: payload.selectedBy.value, forms: sorted };
}

function methodErrors(errors: readonly MethodErrorSpec[], scope: Scope): readonly MethodErrorModel[] {
  const known = errors.flatMap((error) => {
    const declared = scope.errors.get(error.code.value);
    return declared === undefined ? [] : { error, declared };
  });
  return known
    .toSorted((a, b) => bySectionThen<typeof a.declared>(({ code }) => code.value)(a.declared, b.declared))
    .map(({ error, declared }) =>
      omitUndefined({
        code: error.code.value,
        message: error.message?.value ?? declared.message.value,
        condition: error.condition ?? declared.condition,
        section: error.section,
      }),
    );
}

function examplesOf(spec: MethodSpec, scope: Scope): readonly ExampleModel[] {
  return spec.examples.map(({ name, payload, result, error }) => ({
    name,
    payload: payload === undefined ? {} : payloadExample(payload, spec.payload, scope),
    ...omitUndefined({ result: result && exampleValue(result, spec.result, scope), error: error?.value }),
  }));
}
