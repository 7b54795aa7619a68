/** Has marks made where pages far behind the first are asked for. */
export interface Marker {
  /** A page with this offset was read, of the list that has this name. */
  noteOffset(list: string, offset: number, mark: (nowMs: number) => Promise<void>): Promise<void>;
}

/** A process looks for new marks so often, for each list. */
const markEveryMs = 60_000;
const listsMax = 1_000;

/** Pages before the first mark, `from` entries behind the beginning, need none. */
function createMarker(from: number): Marker {
  const markedAtMs = new Map<string, number>();
  return {
    noteOffset: async (list, offset, mark) => {
      const nowMs = Date.now();
      if (offset < from || nowMs - (markedAtMs.get(list) ?? -Infinity) < markEveryMs) return;
      if (markedAtMs.size >= listsMax) markedAtMs.clear();
      markedAtMs.set(list, nowMs);
      await mark(nowMs);
    },
  };
}

/** The marker of each kind of list, by its name. */
export function createMarkers(): (name: string, from: number) => Marker {
  const markers = new Map<string, Marker>();
  return (name, from) => {
    const marker = markers.get(name) ?? createMarker(from);
    markers.set(name, marker);
    return marker;
  };
}
