import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { z } from 'zod'
import { readAtMost } from '#shared/base/read-at-most.ts'
import { err, ok, type Result } from '#shared/base/result.ts'
import { amountOf, type Amount } from '#shared/money/money.ts'
import type { VendorDetail } from '#shared/prices/feeds.ts'
import { exchange } from '../../brokers/exchange.ts'
import { sleepUnlessAborted, type Timing } from '../../brokers/timing.ts'

/** Prices of one contract at CME Group by its raw symbol, `ESZ6`; the span is UTC µs. */
export type DatabentoAsk = { readonly symbol: string; readonly detail: VendorDetail; readonly from: number; readonly to: number }

/** Why Databento did not answer: codes only, never the key. */
export type DatabentoFailure =
  | { readonly kind: 'key-refused' | 'payment-needed' | 'no-permission' | 'unknown-symbol' | 'not-available' | 'unreachable' | 'refused' | 'unreadable' | 'too-large' | 'aborted' }
  | { readonly kind: 'rate-limited'; readonly waitMs: number }

/** Databento under one key. */
export type Databento = ReturnType<typeof createDatabento>

const dataset = 'GLBX.MDP3'
const mostRetries = 2
const firstPauseMs = 1_000
const usualWaitMs = 30_000
const costTimeoutMs = 30_000
/** A stream that brings nothing for so long is dead. */
const silenceMs = 60_000
/** A session of ES trades has some 100 MB. */
const largestAnswer = 1_000_000_000
const units = 10_000

const refusal = z.object({ detail: z.object({ case: z.string() }) })
/** A refusal says its cause here; 404 and 422 alone say too little. */
const largestRefusal = 64 * 1024
const unavailable = /^(data_(start|end)_(before|after)_available_|dataset_unavailable_range|data_schema_not_fully_available)/

const failureOf = (status: number, retryAfterMs: number | null, body: unknown): DatabentoFailure => {
  if (status === 401) return { kind: 'key-refused' }
  if (status === 402) return { kind: 'payment-needed' }
  if (status === 403) return { kind: 'no-permission' }
  if (status === 404 || status === 422) {
    const reason = refusal.safeParse(body).data?.detail.case ?? ''
    if (unavailable.test(reason)) return { kind: 'not-available' }
    return { kind: status === 404 || reason.startsWith('symbology_') ? 'unknown-symbol' : 'refused' }
  }
  if (status === 429) return { kind: 'rate-limited', waitMs: retryAfterMs ?? usualWaitMs }
  return { kind: status >= 500 || status === 408 ? 'unreachable' : 'refused' }
}

const fieldsOf = ({ symbol, detail, from, to }: DatabentoAsk): Record<string, string> => ({ dataset, symbols: symbol, stype_in: 'raw_symbol', schema: detail, start: nanoseconds(from), end: nanoseconds(to) })

const jsonOf = (bytes: Uint8Array | null): unknown => {
  try {
    return JSON.parse(new TextDecoder().decode(bytes ?? undefined))
  } catch {
    return null
  }
}

const nanoseconds = (us: number): string => `${String(us)}000`

/** A client of the historical service at `base`. The key is sent there and nowhere else: redirects are not followed. */
export const createDatabento = ({ base, key, timing, silence = silenceMs }: { readonly base: string; readonly key: string; readonly timing: Timing; readonly silence?: number }) => {
  const authorization = `Basic ${Buffer.from(`${key}:`).toString('base64')}`

  /** Tries again what may pass. */
  const patiently = async <T>(signal: AbortSignal, work: () => Promise<Result<T, DatabentoFailure>>): Promise<Result<T, DatabentoFailure>> => {
    for (let retries = 0; ; retries += 1) {
      const result = await work()
      if (result.ok || result.error.kind !== 'unreachable' || retries === mostRetries) return result
      if (!(await sleepUnlessAborted(timing, firstPauseMs * 2 ** retries * (0.5 + timing.random()), signal))) return err({ kind: 'aborted' })
    }
  }

  const costOnce = async (ask: DatabentoAsk, signal: AbortSignal): Promise<Result<Amount, DatabentoFailure>> => {
    const answer = await exchange({ url: `${base}/metadata.get_cost?${new URLSearchParams({ ...fieldsOf(ask), mode: 'historical-streaming' }).toString()}`, authorization }, costTimeoutMs, signal)
    if (answer.kind === 'aborted') return err({ kind: 'aborted' })
    if (answer.kind === 'lost') return err({ kind: 'unreachable' })
    if (answer.status !== 200) return err(failureOf(answer.status, answer.retryAfterMs, answer.kind === 'json' ? answer.value : null))
    const dollars = answer.kind === 'json' ? answer.value : null
    if (typeof dollars !== 'number' || !(dollars >= 0 && dollars < 1e9)) return err({ kind: 'unreadable' })
    // Rounded up, so that what is shown is never less than what is charged.
    return ok(amountOf(Math.ceil(dollars * units)))
  }

  const downloadOnce = async (ask: DatabentoAsk, path: string, signal: AbortSignal): Promise<Result<null, DatabentoFailure>> => {
    const quiet = new AbortController()
    let timer = setTimeout(() => { quiet.abort() }, silence)
    const alive = (): void => {
      clearTimeout(timer)
      timer = setTimeout(() => { quiet.abort() }, silence)
    }
    try {
      const body = new URLSearchParams({ ...fieldsOf(ask), encoding: 'csv', compression: 'none', pretty_px: 'false', pretty_ts: 'false', map_symbols: 'false' })
      const response = await fetch(`${base}/timeseries.get_range`, { method: 'POST', headers: { authorization, accept: 'text/csv' }, body, redirect: 'manual', signal: AbortSignal.any([signal, quiet.signal]) })
      if (response.status !== 200 || response.body === null) {
        const body = jsonOf(await readAtMost(response.body, largestRefusal))
        const seconds = Number(response.headers.get('retry-after') ?? NaN)
        return err(failureOf(response.status, Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : null, body))
      }
      let [bytes, last] = [0, 0]
      const counted = new Transform({
        transform: (piece: Buffer, _, done) => {
          alive()
          bytes += piece.length
          last = piece.at(-1) ?? last
          done(bytes > largestAnswer ? new Error('too large') : null, piece)
        },
      })
      try {
        await pipeline(Readable.fromWeb(response.body as ReadableStream), counted, createWriteStream(path, { mode: 0o600 }), { signal })
      } catch (error) {
        if (bytes > largestAnswer) return err({ kind: 'too-large' })
        throw error
      }
      // Whole rows end with a line.
      return bytes > 0 && last === '\n'.charCodeAt(0) ? ok(null) : err({ kind: 'unreachable' })
    } catch (error) {
      if (signal.aborted) return err({ kind: 'aborted' })
      // A full disk is this computer's.
      if (error instanceof Error && 'code' in error && 'path' in error) throw error
      return err({ kind: 'unreachable' })
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    /** What prices cost, in 1/10,000 of a US dollar. Costs nothing itself. */
    cost: (ask: DatabentoAsk, signal: AbortSignal): Promise<Result<Amount, DatabentoFailure>> => patiently(signal, () => costOnce(ask, signal)),
    /** Writes prices as CSV into a new file, whole or not at all. Each try is charged: one that was cut is not repeated. */
    download: async (ask: DatabentoAsk, path: string, signal: AbortSignal): Promise<Result<null, DatabentoFailure>> => {
      const done = await downloadOnce(ask, path, signal)
      if (!done.ok) await rm(path, { force: true })
      return done
    },
  }
}
