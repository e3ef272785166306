export type Lane = "fast" | "normal";

/** Of five turns, how many the fast lane has while both wait: first, without starving the others. */
const fastTurns = 4;
const turns = 5;

/**
 * Who is next. Within a lane the owners take turns, so that a batch of two hundred does not stand in front of
 * somebody's single picture; an owner's own items keep their order.
 */
export class FairQueue<Item> {
  readonly #lanes: Record<Lane, Map<string, Item[]>> = { fast: new Map(), normal: new Map() };
  #turn = 0;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(item: Item, { owner, lane, first = false }: { owner: string; lane: Lane; first?: boolean }): void {
    const owners = this.#lanes[lane];
    const items = owners.get(owner) ?? [];
    if (first) items.unshift(item);
    else items.push(item);
    owners.set(owner, items);
    this.#size++;
  }

  take(): Item | undefined {
    this.#turn = (this.#turn + 1) % turns;
    const order: Lane[] = this.#turn < fastTurns ? ["fast", "normal"] : ["normal", "fast"];
    for (const lane of order) {
      const item = this.#takeFrom(this.#lanes[lane]);
      if (item !== undefined) return item;
    }
    return undefined;
  }

  #takeFrom(owners: Map<string, Item[]>): Item | undefined {
    for (const [owner, items] of owners) {
      const item = items.shift();
      // Map keeps the order of insertion: set anew, the owner stands at the end.
      owners.delete(owner);
      if (items.length > 0) owners.set(owner, items);
      if (item !== undefined) {
        this.#size--;
        return item;
      }
    }
    return undefined;
  }

  /** Takes out an item that nobody wants any more; false when it is not waiting. */
  remove(item: Item): boolean {
    for (const owners of Object.values(this.#lanes)) {
      for (const [owner, items] of owners) {
        const at = items.indexOf(item);
        if (at < 0) continue;
        items.splice(at, 1);
        if (items.length === 0) owners.delete(owner);
        this.#size--;
        return true;
      }
    }
    return false;
  }
}
