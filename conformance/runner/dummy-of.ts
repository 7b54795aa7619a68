/**
 * A placeholder for a missing sample, in a request that is refused before the service looks it up. It must be
 * readable, so that the service finds the fault that the case is about.
 */
export function dummyOf(name: string): string {
  return name === "callbackUrl" ? "https://hooks.example.com/any" : `any-${name}`;
}
