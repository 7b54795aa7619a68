import type { StoreView } from "../../../ports/index.ts";

/** A view that looks the records that most operations need up only once. */
export interface CachedView {
  readonly view: StoreView;
  /** To be called when the view comes to show another state. */
  forget(): void;
}

const recordsMax = 1_000;
/** More legal representatives than these are asked for in one question, and not kept. */
const askedSinglyMax = 16;

/**
 * Keeps what was found by key of institutions, customers, legal representatives and accounts: a snapshot never
 * changes, so neither do its answers, and decoding a wide record costs more than the rest of a small operation. `onAsked` is
 * called at each look-up, kept or not.
 */
export function cacheView(view: StoreView, onAsked: () => void): CachedView {
  const forgets: (() => void)[] = [];

  function kept<R>(find: (...key: [string, string]) => Promise<R>): (...key: [string, string]) => Promise<R> {
    const found = new Map<string, Promise<R>>();
    forgets.push(() => found.clear());
    return (first, second) => {
      onAsked();
      const name = `${first}\n${second}`;
      const known = found.get(name);
      if (known !== undefined) return known;
      const answer = find(first, second);
      if (found.size === recordsMax) found.clear();
      found.set(name, answer);
      answer.catch(() => found.delete(name));
      return answer;
    };
  }

  const institution = kept((id) => view.institutions.find(id));
  const legalRep = kept((institutionId, id) => view.legalReps.find(institutionId, id));
  return {
    view: {
      ...view,
      institutions: { ...view.institutions, find: (id) => institution(id, "") },
      customers: {
        ...view.customers,
        find: kept((institutionId, id) => view.customers.find(institutionId, id)),
      },
      legalReps: {
        find: legalRep,
        findMany: async (institutionId, ids) => {
          if (ids.length > askedSinglyMax) return view.legalReps.findMany(institutionId, ids);
          const found = await Promise.all(ids.map((id) => legalRep(institutionId, id)));
          return found.filter((record) => record !== undefined);
        },
      },
      accounts: {
        ...view.accounts,
        find: kept((institutionId, id) => view.accounts.find(institutionId, id)),
        findByNumber: kept((institutionId, number) => view.accounts.findByNumber(institutionId, number)),
      },
    },
    forget: () => {
      for (const forget of forgets) forget();
    },
  };
}
