import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Trade } from '#shared/api/records.ts'

const tradesAtOnce = 500

/** The answer of the call that lists trades, as JSON. It is written bit by bit: a large journal must not hold up the calls of others. */
export const tradesJson = async (trades: Iterable<Trade>): Promise<Uint8Array> => {
  const parts: Buffer[] = [Buffer.from('{"success":true,"trades":[')]
  let texts: string[] = []
  const close = (): void => {
    if (texts.length > 0) parts.push(Buffer.from(`${parts.length > 1 ? ',' : ''}${texts.join(',')}`))
    texts = []
  }
  for (const trade of trades) {
    texts.push(JSON.stringify(trade))
    if (texts.length < tradesAtOnce) continue
    close()
    await nextTurn()
  }
  close()
  return Buffer.concat([...parts, Buffer.from(']}')])
}
