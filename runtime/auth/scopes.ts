/** Whether a credential with these scopes may call the method (D-19). Names are compared exactly. */
export function scopesAllow(scopes: readonly string[], method: string): boolean {
  const dot = method.indexOf(".");
  const wholeService = dot < 0 ? undefined : `${method.slice(0, dot)}.*`;
  return scopes.some((scope) => scope === "*" || scope === method || scope === wholeService);
}
