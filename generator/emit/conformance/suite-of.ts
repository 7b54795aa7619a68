import { objectOf } from "../../../conformance/suite/shape.ts";
import type { MethodEntry, ResourceEntry, Suite } from "../../../conformance/suite/suite.ts";
import type { MethodModel, ServiceModel } from "../../model/service-model.ts";
import { basesOf, successfulPayloads } from "./bases.ts";
import { isHeldToEachForm } from "./held-to-each-form.ts";
import { plainPayload, plainShape, statedOf } from "./plain-shape.ts";
import { probeOf, standardProbe } from "./probe.ts";
import { errorsOf, faultsOf, wireOf } from "./wire-of.ts";
import { scenariosOf } from "./scenarios.ts";
import { stepsOf } from "./steps.ts";

/** The model without what only people and code generators need. */
export function suiteOf(model: ServiceModel): Suite {
  const probe = model.wire.protocol === "json-rpc-2.0" ? standardProbe(model) : probeOf(model);
  const methods = model.methods.map((method) => methodEntry(method, model));
  return {
    format: 3,
    name: model.name,
    title: model.title,
    revision: model.revision,
    path: model.path,
    ...(model.documentedPath === undefined || model.documentedPath === model.path
      ? {}
      : { documentedPath: model.documentedPath }),
    probe: probe?.name ?? "",
    ...wireOf(model),
    auth: model.auth.map(({ name, missing }) => ({ name, missing })),
    faults: faultsOf(model),
    errors: errorsOf(model),
    types: Object.fromEntries(model.types.map(({ name, shape }) => [name, plainShape(shape)])),
    methods,
    events: model.events.map((event) => ({
      ...statedOf(event),
      name: event.name,
      payload: plainShape(event.payload),
      ...(event.members === undefined
        ? {}
        : { members: { shape: plainShape(event.members.shape), repeats: event.members.repeats } }),
    })),
    resources: model.resources.map((resource) => ({
      name: resource.name,
      ...(resource.absent === undefined ? {} : { absent: resource.absent }),
      samples: resource.samples.map(({ name }) => name),
      ...(resource.made === undefined
        ? {}
        : { made: { steps: stepsOf(resource.made.steps), gives: resource.made.gives } }),
      ...creation(
        resource.samples.map(({ name }) => name),
        methods,
      ),
    })),
    rules: Object.fromEntries(model.rules.map((rule) => [rule.id, { ...statedOf(rule), doc: rule.doc }])),
    states: model.states.map((machine) => ({
      ...statedOf(machine),
      name: machine.name,
      type: machine.type,
      transitions: machine.transitions.map(({ from, to, by }) => ({
        from,
        to,
        ...(by === undefined ? {} : { by }),
      })),
    })),
    requirements: model.requirements.map((requirement) => ({
      ...statedOf(requirement),
      id: requirement.id,
      sentence: requirement.doc,
      cases: requirement.cases,
      ...(requirement.untested === undefined ? {} : { untested: requirement.untested }),
    })),
    scenarios: scenariosOf(model),
  };
}

function methodEntry(method: MethodModel, model: ServiceModel): MethodEntry {
  const { transport } = method;
  const examples = successfulPayloads(method);
  return {
    ...statedOf(method),
    name: method.name,
    effect: method.effect,
    ...(method.path === undefined ? {} : { path: method.path }),
    transport: transport.kind === "json-rpc" ? { ...transport, security: method.security } : transport,
    payload: plainPayload(method.payload, isHeldToEachForm(method, model)),
    result: plainShape(method.result),
    errors: method.errors.map(({ code, message, section }) => ({
      ...statedOf({ decisions: [], ...(section === undefined ? {} : { section }) }),
      code,
      message,
    })),
    ...(method.paging === undefined ? {} : { paging: method.paging }),
    bases: basesOf(method, model),
    ...(examples.length === 0 ? {} : { examples }),
  };
}

/** The first `create` that makes such an object: the one that the first identifying field of its result names. */
function creation(
  samples: readonly string[],
  methods: readonly MethodEntry[],
): Pick<ResourceEntry, "created"> {
  for (const method of methods) {
    if (method.effect !== "create") continue;
    const made = objectOf(method.result).fields.find(
      ({ identifies }) => identifies !== undefined,
    )?.identifies;
    if (made === undefined || !samples.includes(made)) continue;
    const gives = objectOf(method.result).fields.flatMap(({ name, identifies }) =>
      identifies !== undefined && samples.includes(identifies) ? [[identifies, `/${name}`] as const] : [],
    );
    const base = Object.keys(method.bases).find((name) => name.endsWith("minimal"));
    // Its own payload needs no such object, or there would be no first one.
    const isFirst = !samples.some((sample) =>
      JSON.stringify(method.bases[base ?? ""]).includes(`{{${sample}}}`),
    );
    if (base !== undefined && isFirst) {
      return { created: { method: method.name, base, gives: Object.fromEntries(gives) } };
    }
  }
  return {};
}
