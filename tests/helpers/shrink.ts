/** The fewest steps of a walk after which it still fails: steps are left out, many at first and then one by one, as long as `fails` says so. */
export const shrink = async <Walk extends { readonly steps: readonly unknown[] }>(walk: Walk, fails: (walk: Walk) => Promise<boolean>, tries = 120): Promise<Walk> => {
  let smallest = walk
  let left = tries
  for (let length = Math.ceil(walk.steps.length / 2); length >= 1; length = length === 1 ? 0 : Math.ceil(length / 2)) {
    for (let at = 0; at < smallest.steps.length && left > 0; ) {
      const shorter = { ...smallest, steps: smallest.steps.toSpliced(at, length) }
      left -= 1
      if (await fails(shorter).catch(() => false)) smallest = shorter
      else at += length
    }
  }
  return smallest
}
