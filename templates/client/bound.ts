/** Binds operations to a client. */
export function binder<Connection>(connection: Connection) {
  return <Payload, Result, Options>(
    operation: (connection: Connection, payload: Payload, options?: Options) => Promise<Result>,
  ): ((payload: Payload, options?: Options) => Promise<Result>) =>
    (payload, options) =>
      operation(connection, payload, options);
}

/** The method with a name. Throws a `TypeError` for any other. */
export function methodNamed<Method extends { readonly name: string }>(
  name: string,
  operations: readonly { readonly method: Method }[],
): Method {
  const operation = operations.find(({ method }) => method.name === name);
  if (!operation) throw new TypeError(`no method ${name}`);
  return operation.method;
}
