import { useEffect, useLayoutEffect, useReducer, useRef } from 'react'

const none: ReadonlySet<string> = new Set()

/**
 * Which of these to render fully: those that were rendered before, and of the others the first `most`; the rest follow
 * in the next frames. So no frame renders much, however much comes into view at once.
 */
export const useFewAtOnce = (keys: readonly string[], most: number): ReadonlySet<string> => {
  const drawn = useRef(none)
  const [, drawAgain] = useReducer((times: number) => times + 1, 0)
  const left = new Set(keys.filter((key) => !drawn.current.has(key)).slice(most))
  const whole = new Set(keys.filter((key) => !left.has(key)))
  useLayoutEffect(() => {
    drawn.current = whole
  })
  useEffect(() => {
    if (left.size === 0) return
    const frame = requestAnimationFrame(drawAgain)
    return () => { cancelAnimationFrame(frame) }
  })
  return whole
}
