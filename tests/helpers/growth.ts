const cpu = (work: () => void): number => {
  const begun = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(begun)
  return user + system
}

/** How many times the CPU time of `small` the work `large` takes, by the least of three turns of each in one run: a slow or busy machine slows both. The first, unmeasured turn of `small` is for the compiler. */
export const growth = (small: () => void, large: () => void): number => {
  cpu(small)
  const turns = [1, 2, 3].map(() => [cpu(small), cpu(large)] as const)
  return Math.min(...turns.map(([, took]) => took)) / Math.min(...turns.map(([took]) => took))
}
