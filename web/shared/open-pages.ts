/** A page of a site, and the operation by which it reads what it shows; none where it shows what it may of several. */
export interface ReadPage {
  readonly name: string;
  readonly operation?: (args: readonly string[]) => string;
}

/** Which pages a credential with these scopes can read, by their path; all where the scopes are not known. */
export function openPages(
  pages: readonly ReadPage[],
  scopes: readonly string[] | undefined,
): (path: readonly string[]) => boolean {
  return ([name, ...args]) => {
    const operation = pages.find((page) => page.name === name)?.operation?.(args);
    return operation === undefined || scopes === undefined || scopesAllow(scopes, operation);
  };
}

/** Scopes are `*`, names of operations, or a service's name and `.*`. */
function scopesAllow(scopes: readonly string[], operation: string): boolean {
  const service = /^.*\./.exec(operation)?.[0];
  return ["*", operation, ...(service === undefined ? [] : [`${service}*`])].some((scope) =>
    scopes.includes(scope),
  );
}
