import { idParts, type Located } from "../language/index.ts";
import type { MethodModel, RequestIdModel, ServiceModel } from "./service-model.ts";

/** A pattern of ids with its parts. */
export function requestIdModel(requestId: Located<string> | undefined): RequestIdModel | undefined {
  return requestId && { pattern: requestId.value, parts: idParts(requestId.value) ?? [] };
}

/** The rule for ids of a method's requests; undefined where any text of 1 to 128 characters is one. */
export function requestIdOf(
  { wire }: Pick<ServiceModel, "wire">,
  method?: Pick<MethodModel, "transport">,
): RequestIdModel | undefined {
  const own = method?.transport.kind === "enveloped" ? method.transport.requestId : undefined;
  return own ?? wire.requestId;
}

/** An id that requests of a method may have, always the same one: `usual` where any text may be one. */
export function exampleId(
  model: Pick<ServiceModel, "wire">,
  usual: string,
  method?: Pick<MethodModel, "transport">,
): string {
  const ids = requestIdOf(model, method);
  if (ids === undefined) return usual;
  return ids.parts
    .map(({ characters, most }) =>
      Array.from({ length: most }, (_, at) => characters[(at + 1) % characters.length]).join(""),
    )
    .join("");
}
