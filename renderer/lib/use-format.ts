import { createContext, useContext } from 'react'
import type { Format } from './format.ts'

/** The formats that all screens share: making them takes long, and live screens ask for them hundreds of times. */
export const FormatContext = createContext<Format | null>(null)

/** The formats of the chosen language in the profile's time zone. */
export const useFormat = (): Format => {
  const format = useContext(FormatContext)
  if (format === null) throw new Error('No formats are given')
  return format
}
