import { onTestFinished } from 'vitest'
import { openLine, type Line } from './line.ts'

/** A line to a server that a test can meddle with. */
export type Proxy = Line

/** Opens a line to `target`, which ends with the test. */
export const openProxy = async (target: string): Promise<Proxy> => {
  const line = await openLine(target)
  onTestFinished(line.close)
  return line
}
