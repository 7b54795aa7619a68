import type { MethodModel, ServiceModel } from "../model/service-model.ts";

/** Path of a method's file below a folder of methods, without extension: `account-service/get-account`. */
export function methodPath(method: MethodModel, model: ServiceModel): string {
  const service = model.services.find((group) => group.name === method.service);
  return service === undefined ? method.names.file : `${service.names.file}/${method.names.file}`;
}
