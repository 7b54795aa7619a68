import type {
  FieldShape,
  MethodDescriptor,
  PayloadValidator,
  ValidationError,
} from "../../../runtime/contract/index.ts";
import type { AnyOptions, ChangeOptions } from "../fault.ts";

/** Another validator for one operation: what it finds is changed. */
export function withValidator(
  method: string,
  change: (errors: readonly ValidationError[], payload: unknown) => readonly ValidationError[],
): ChangeOptions {
  return withMethod(method, (descriptor) => {
    const sound = descriptor.validate;
    const validate: PayloadValidator = Object.assign(
      (payload: unknown): boolean => {
        const found = sound(payload) ? [] : (sound.errors ?? []);
        const errors = change(found, payload);
        validate.errors = [...errors];
        return errors.length === 0;
      },
      { errors: null },
    );
    return { ...descriptor, validate };
  });
}

/** Other fields in the payload of one operation. */
export function withShape(
  method: string,
  change: (fields: readonly FieldShape[]) => readonly FieldShape[],
): ChangeOptions {
  return withMethod(method, (descriptor) => ({
    ...descriptor,
    payload: { ...descriptor.payload, fields: change(descriptor.payload.fields) },
  }));
}

export function withMethod(
  name: string,
  change: (method: MethodDescriptor) => MethodDescriptor,
): ChangeOptions {
  return (options: AnyOptions) => {
    const { interfaceDescriptor } = options;
    const method = interfaceDescriptor.methods[name];
    if (method === undefined) throw new Error(`there is no method ${name}`);
    const methods = { ...interfaceDescriptor.methods, [name]: change(method) };
    return { ...options, interfaceDescriptor: { ...interfaceDescriptor, methods } };
  };
}

/** Every operation is described otherwise. */
export function withEveryMethod(change: (method: MethodDescriptor) => MethodDescriptor): ChangeOptions {
  return (options) =>
    Object.keys(options.interfaceDescriptor.methods).reduce(
      (current, name) => withMethod(name, change)(current),
      options,
    );
}
