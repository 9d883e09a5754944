/** How many of the first `length` places meet a condition that no place meets behind one that does not: a binary search. */
export const countWhile = (length: number, meets: (place: number) => boolean): number => {
  let [low, high] = [0, length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (meets(middle)) low = middle + 1
    else high = middle
  }
  return low
}
