const scopeSyntax = /^(?:\*|[A-Za-z][A-Za-z0-9]*(?:\.(?:\*|[A-Za-z][A-Za-z0-9]*))?)$/;

/** Whether a text can be a scope: `*`, `Service.*`, `Service.Operation` or a plain operation name (D-19). */
export function isScope(text: string): boolean {
  return scopeSyntax.test(text);
}

/** Whether a credential with these scopes may call the method (D-19). Names are compared exactly. */
export function scopesAllow(scopes: readonly string[], method: string): boolean {
  const dot = method.indexOf(".");
  const wholeService = dot < 0 ? undefined : `${method.slice(0, dot)}.*`;
  return scopes.some((scope) => scope === "*" || scope === method || scope === wholeService);
}
