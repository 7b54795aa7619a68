/**
 * A dummy for a sample that there is none of, in a request that is refused before the service looks it up: any name, and
 * as an address one that a service can read, so that it finds the fault that the case is about.
 */
export function dummyOf(name: string): string {
  return name === "callbackUrl" ? "https://hooks.example.com/any" : `any-${name}`;
}
