import { useEffect, useEffectEvent, useState } from 'react'

const pauseMs = 200

/** Text that takes effect after a short pause in typing, or with `atOnce` immediately; if `value` changes otherwise, the text follows. */
export const useTyped = (value: string, apply: (text: string) => void, { atOnce = false } = {}): readonly [string, (text: string) => void] => {
  const [typed, setTyped] = useState(value)
  const [known, setKnown] = useState(value)
  const [sent, setSent] = useState(value)
  if (known !== value) {
    setKnown(value)
    setSent(value)
    // A sent value that comes back may be older than what was typed meanwhile.
    if (sent !== value) setTyped(value)
  }
  const send = useEffectEvent(() => {
    if (atOnce || typed === value) return
    setSent(typed)
    apply(typed)
  })
  useEffect(() => {
    const pause = setTimeout(send, pauseMs)
    return () => {
      clearTimeout(pause)
    }
  }, [typed])
  const type = (text: string): void => {
    setTyped(text)
    if (!atOnce) return
    setSent(text)
    apply(text)
  }
  return [typed, type]
}
