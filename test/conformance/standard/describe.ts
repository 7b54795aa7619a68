import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { Frame } from "../../../conformance/base/frame.ts";
import { omitUndefined } from "../../../conformance/base/omit-undefined.ts";
import type { LoadedSuite } from "../../../conformance/index.ts";
import { loadServiceModel, resolve, type ServiceModel } from "../../../generator/model/index.ts";
import type { MethodModel, Shape } from "../../../generator/model/service-model.ts";
import { jsonSchemas, type JsonSchema } from "../../../generator/print/json-schema/json-schema.ts";
import { wireOf } from "../../../generator/protocols/json-rpc/wire.ts";
import { sourceText } from "../../../generator/language/source/index.ts";
import type {
  JsonRpcErrorDescriptor,
  JsonRpcInterfaceDescriptor,
  JsonRpcMethodDescriptor,
  PayloadValidator,
} from "../../../runtime/contract/index.ts";
import { suiteFrom } from "../library-suite.ts";

/** The text of `tasks.yaml`. */
export const tasksYaml = readFileSync(join(import.meta.dirname, "tasks.yaml"), "utf8");

export interface StandardInterface {
  readonly suite: LoadedSuite;
  readonly descriptor: JsonRpcInterfaceDescriptor;
}

/** The members of a dialect's messages. */
export const dialect: Frame = { id: "ref", method: "cmd", params: "args", result: "ok", error: "fail" };

/** The suite and the descriptor of a standard interface, or of a dialect with its own frame. Validators are Ajv's, over the schemas that are exported. */
export function describedBy(yaml: string, frame?: Frame): StandardInterface {
  const { value: model, diagnostics } = loadServiceModel("tasks", () => [
    sourceText("tasks/tasks.yaml", yaml),
  ]);
  if (model === undefined) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  const described = frame === undefined ? model : { ...model, wire: { ...wireOf(model), frame } };
  return { suite: suiteFrom(described), descriptor: { ...descriptorOf(model), ...omitUndefined({ frame }) } };
}

/** `tasks.yaml` over every transport. */
export const carriedTasks = (frame?: Frame): StandardInterface =>
  describedBy(tasksYaml.replace("transports: [http]", "transports: [http, websocket, stdio]"), frame);

function descriptorOf(model: ServiceModel): JsonRpcInterfaceDescriptor {
  const { name, title, revision, path } = model;
  const wire = wireOf(model);
  const { http, batch, transports } = wire;
  return {
    protocol: "json-rpc-2.0",
    contract: 1,
    name,
    title,
    revision,
    path,
    http,
    batch,
    transports,
    methods: Object.fromEntries(model.methods.map((method) => [method.name, methodOf(method, model)])),
    faults: wire.faults,
    schemes: Object.fromEntries(
      model.schemes.map(({ name: scheme, kind, options }) => [
        scheme,
        JSON.parse(JSON.stringify({ ...options, kind })),
      ]),
    ),
  };
}

function methodOf(method: MethodModel, model: ServiceModel): JsonRpcMethodDescriptor {
  const { transport, payload, security } = method;
  if (transport.kind !== "json-rpc" || payload.kind !== "single")
    throw new Error(`${method.name} is no standard one`);
  const schemas = jsonSchemas(model, { formatPatterns: true });
  const errors = method.errors.flatMap(({ code }) => model.errors.filter((error) => error.code === code));
  return {
    name: method.name,
    effect: method.effect,
    params: transport.params,
    notify: transport.notify,
    parameters: payload.shape.fields.map(({ name, presence, shape }) => ({
      name,
      required: presence.kind === "required",
      nullable: mayBeNull(shape, model),
    })),
    security: security.map((alternative) =>
      Object.fromEntries(alternative.map(({ scheme, scopes }) => [scheme, scopes])),
    ),
    validate: validatorOf(schemas.payload(method), model),
    errors: Object.fromEntries(
      errors.map((error): [string, JsonRpcErrorDescriptor] => [
        error.code,
        { name: error.code, code: error.rpcCode, message: error.message, httpStatus: error.httpStatus },
      ]),
    ),
  };
}

function mayBeNull(shape: Shape, model: ServiceModel): boolean {
  return ["null", "nullable", "json"].includes(resolve(model, shape).kind);
}

function validatorOf(schema: JsonSchema, model: ServiceModel): PayloadValidator {
  const { definitions } = jsonSchemas(model, { formatPatterns: true });
  const $defs = Object.fromEntries(Object.values(definitions).map((each) => [each.name, each.schema]));
  const validate = new Ajv2020({ strict: false, meta: false, validateSchema: false }).compile({
    ...schema,
    $defs,
  });
  const judge: PayloadValidator = (value) => {
    const fits = validate(value);
    judge.errors = validate.errors ?? null;
    return fits;
  };
  return judge;
}
