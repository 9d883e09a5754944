/** The value of a key; if there is none, the one that `make` returns, which the map then keeps. */
export const getOrInsert = <Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value => {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}
