/** The part of a recorded event that a translation reads and changes. */
export interface TranslatableEvent {
  readonly name: string;
  readonly payloadJson: string;
  /** Revision that name and payload are in; absent where it was not recorded. */
  readonly revision?: string;
  /** Further members of its notification, as JSON without the braces; absent where it has none. */
  readonly membersJson?: string;
}

/** Port: converts events to the revision that a subscription was made in. */
export interface EventTranslator {
  /** The event in that revision, with what its notification has there; the same object where nothing differs. */
  translate<E extends TranslatableEvent>(event: E, revision: string | undefined): E;
  /** The names of an event, now and in the earlier revisions that are served. */
  namesOf(name: string): readonly string[];
}
