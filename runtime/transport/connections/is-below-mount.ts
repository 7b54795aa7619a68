/** A request as Express and Connect pass it to a handler that is mounted on a path. */
interface MountedRequest {
  readonly baseUrl?: string | undefined;
  readonly url?: string | undefined;
}

/** Whether `app.use` has passed a request for a longer path than the one mounted. */
export function isBelowMount({ baseUrl = "", url = "" }: MountedRequest): boolean {
  return baseUrl !== "" && url !== "" && url !== "/" && !url.startsWith("/?");
}
