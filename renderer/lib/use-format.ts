import { createContext, useContext } from 'react'
import type { Format } from './format.ts'

/** The formats shared by all screens: creating them is slow, and live screens need them hundreds of times. */
export const FormatContext = createContext<Format | null>(null)

/** The formats of the chosen language in the profile's time zone. */
export const useFormat = (): Format => {
  const format = useContext(FormatContext)
  if (format === null) throw new Error('No formats are given')
  return format
}
