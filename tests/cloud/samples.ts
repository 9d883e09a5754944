import { createHash } from 'node:crypto'
import { mirrorRecord } from '#shared/mirror/record.ts'
import type { MirrorRecord } from '#shared/mirror/record.ts'

/** A derived fill pair with a figure that distinguishes its versions. */
export const pair = (id: string, net = 11_100): MirrorRecord =>
  mirrorRecord.parse({
    entity: 'pair',
    id,
    content: {
      accountId: 'tradovate:demo:123', symbol: 'ESH6', date: '2026-01-02', tradingDay: '2026-01-02', side: 'long', qty: 3, tickSize: '0.25',
      entryPrice: 23_456, exitPrice: 23_460, entryTime: 1_795_000_000_000, exitTime: 1_795_000_100_000, gross: 123_400, commission: 12_300, net,
      currency: 'USD', platform: 'Tradovate', tripId: null, multiplierSource: 'broker', feeSource: 'broker', warnings: [],
    },
  })

/** A derived fill pair that is not any more. */
export const gonePair = (id: string): MirrorRecord => mirrorRecord.parse({ entity: 'pair', id, content: null })

/** A stamp of `device` at `ms`. */
export const stampAt = (ms: number, device = '3fa91c20'): string => `${String(ms).padStart(15, '0')}-00000-${device}`

/** An expense; its name distinguishes its versions. */
export const finance = (id: string, name: string, { at = 1_000, removedAt = null as number | null } = {}): MirrorRecord =>
  mirrorRecord.parse({
    entity: 'finance',
    id,
    content: { type: 'expense', amount: 500_000, date: '2026-01-02', name, balance: 0, currency: 'USD', platform: 'Tradovate', firm: null, category: 'reset', account: 'tradovate:demo:123', note: 'again', removedAt, stamp: stampAt(at) },
  })

/** What a user says of a fill pair. */
export const edit = (id: string, notes: string, at = 1_000): MirrorRecord => mirrorRecord.parse({ entity: 'edit', id, content: { notes: { value: notes, stamp: stampAt(at) } } })

/** How the broker numbers a contract: part of the ground. */
export const contract = (id: string, name: string): MirrorRecord => mirrorRecord.parse({ entity: 'contract', id, content: { contract: name } })

/** Bytes that begin as a PNG does, and the name that follows from them. */
export const png = (text: string): { readonly name: string; readonly bytes: Buffer<ArrayBuffer> } => {
  const bytes = Buffer.from(`\x89PNG\r\n\x1a\n${text}`, 'latin1')
  return { name: `${createHash('sha256').update(bytes).digest('hex')}.png`, bytes }
}

/** Room for whatever a test keeps. */
export const anyAmount = { smallest: Infinity, limitOf: () => Infinity }
