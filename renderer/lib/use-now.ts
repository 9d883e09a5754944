import { useEffect, useState } from 'react'

/** The time (UTC ms), updated every `everyMs` by one timer that all ages of a screen share. */
export const useNow = (everyMs: number): number => {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => { setNow(Date.now()) }, everyMs)
    return () => { clearInterval(timer) }
  }, [everyMs])
  return now
}
