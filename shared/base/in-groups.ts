/** Groups items in order: as many as have at most `most` in total by `sizeOf`; a larger item is a group of its own. */
export function* inGroups<Item>(items: Iterable<Item>, sizeOf: (item: Item) => number, most: number): Generator<Item[]> {
  let group: Item[] = []
  let size = 0
  for (const item of items) {
    if (group.length > 0 && size + sizeOf(item) > most) {
      yield group
      group = []
      size = 0
    }
    group.push(item)
    size += sizeOf(item)
  }
  if (group.length > 0) yield group
}
