import { ruleNames } from "../exploration/rules.ts";
import type { LoadedSuite } from "../cases/load-suite.ts";
import { didYouMean } from "../base/closest.ts";

/** Sees whether each thing that was asked for is there. @throws Error with the name that was probably meant */
export function checkSelection(only: readonly string[] | undefined, { suite, cases }: LoadedSuite): void {
  const operations = suite.methods.map(({ name }) => name);
  const names = [
    ...operations,
    ...suite.scenarios.map(({ name }) => `scenario/${name}`),
    ...ruleNames.map((name) => `exploration/${name}`),
  ];
  for (const asked of only ?? []) {
    const isThere = (name: string): boolean => name.startsWith(asked);
    if (names.some(isThere) || cases.some(({ id }) => isThere(id))) continue;
    const inOperation = operations.find((name) => asked.startsWith(`${name}/`));
    const candidates =
      inOperation === undefined
        ? names
        : cases.filter(({ method }) => method === inOperation).map(({ id }) => id);
    throw new Error(
      `--operation ${asked}: no operation and no case begins so${didYouMean(asked, candidates)}`,
    );
  }
}
