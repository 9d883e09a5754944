/** Throttles: passes on what it gets immediately or once `leastMs` have passed since the last time; of what comes in between only the newest. */
export const createPaced = <T>(leastMs: number, handOn: (value: T) => void): { readonly give: (value: T) => void; readonly stop: () => void } => {
  let waiting: { readonly value: T } | null = null
  let timer: ReturnType<typeof setTimeout> | null = null
  const rest = (): void => {
    timer = setTimeout(() => {
      timer = null
      if (waiting === null) return
      const { value } = waiting
      waiting = null
      handOn(value)
      rest()
    }, leastMs)
  }
  return {
    give: (value) => {
      if (timer !== null) {
        waiting = { value }
        return
      }
      handOn(value)
      rest()
    },
    stop: () => {
      if (timer !== null) clearTimeout(timer)
      timer = null
      waiting = null
    },
  }
}
