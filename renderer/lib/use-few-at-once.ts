import { useEffect, useLayoutEffect, useReducer, useRef } from 'react'

const none: ReadonlySet<string> = new Set()

/** Which of these are drawn whole: those that were in the drawing before, and of the others the first `most`; the rest follow in the next frames. So no frame has much to draw, however much comes into sight at once. */
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
