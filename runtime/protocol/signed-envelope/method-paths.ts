import type { InterfaceDescriptor } from "../../contract/index.ts";

/**
 * Gives the path of a request target where it is one of methods alone; undefined for the path of the interface, wherever
 * that is mounted.
 */
export function methodPaths({
  methods,
}: Pick<InterfaceDescriptor, "methods">): (target: string) => string | undefined {
  const paths = ownPaths({ methods });
  if (paths.length === 0) return () => undefined;
  return (target) => {
    const { pathname } = new URL(target, "http://any");
    return paths.find((path) => path === pathname);
  };
}

/** The paths that methods have of their own. */
export function ownPaths({ methods }: Pick<InterfaceDescriptor, "methods">): readonly string[] {
  const paths = Object.values(methods).flatMap(({ path }) => (path === undefined ? [] : [path]));
  return [...new Set(paths)];
}
