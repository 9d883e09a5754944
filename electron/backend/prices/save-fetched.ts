import { readFileSync, statSync } from 'node:fs'
import { fitBars } from '#shared/prices/fit-bars.ts'
import type { FeedFailure } from '#shared/prices/feeds.ts'
import type { BarSource } from '#shared/prices/formats/format.ts'
import { sniffPrices } from '#shared/prices/formats/sniff.ts'
import { atomically, type Writer } from '../db/database.ts'
import type { BarList } from '../brokers/bars.ts'
import { recordAnswer, recordRefusal, type WantedSession } from './feed-queries.ts'
import type { ContractFacts } from './fill-prices.ts'
import { importPriceFile } from './price-imports.ts'
import { freeRoom } from './queries.ts'
import { headOf } from './read-price-file.ts'
import { writeTape } from './write-tape.ts'

/** The result of storing an answer: how many entries are new, or why none was stored. */
export type Fetched = { readonly added: number; readonly failure: FeedFailure | null }

type FeedAnswer = { readonly wanted: WantedSession; readonly facts: ContractFacts; readonly now: number }

const feedOf = { 'projectx-bars': 'projectx', 'tradovate-bars': 'tradovate' } as const satisfies Record<BarSource, string>

/** Saves the bars of a session, all or nothing, and records that the feed has answered. Bars that the fills contradict are not saved. */
export const saveBars = (writer: Writer, { wanted, facts, now, source, lists }: FeedAnswer & { readonly source: BarSource; readonly lists: readonly BarList[] }): Fetched =>
  atomically(writer, () => {
    const { key, tickSize, span } = wanted
    const kept = new Set<number>()
    let [added, until] = [0, span.to]
    const fits = lists.map((list) => fitBars(list, facts.fills, Number(tickSize)))
    if (fits.includes('unlike')) return { added: 0, failure: 'unlike-fills' }
    for (const [index, list] of lists.entries()) {
      const tape = writeTape(writer, { contract: key, tickSize, source, grain: list.width, at: now })
      const shift = fits[index] === 'end' ? -list.width : 0
      list.at.forEach((at, place) => {
        // A bar that is not over may still change: from its start on, the feed has not answered yet.
        if (at + shift + list.width > now * 1000) until = Math.min(until, at + shift)
        else tape.add(at + shift, list.open[place] ?? 0, list.high[place] ?? 0, list.low[place] ?? 0, list.close[place] ?? 0, list.volume[place] ?? 0)
      })
      const written = tape.end()
      added += written.added
      for (const part of written.parts) kept.add(part)
    }
    const entries = lists.reduce((sum, { at }) => sum + at.length, 0)
    recordAnswer(writer, { feed: feedOf[source], contract: key, span: { from: span.from, to: until }, entries, now })
    freeRoom(writer, now, kept)
    return { added, failure: null }
  })

// A header alone is shorter.
const shortest = 1024

/** Saves a file from Databento as if its user had imported it. It was paid for: if it cannot be saved, the reason is recorded. */
export const saveVendorFile = (writer: Writer, answer: FeedAnswer & { readonly path: string }): Fetched => {
  const { wanted, now } = answer
  const fetched = storedFile(writer, answer)
  if (fetched.failure !== null) recordRefusal(writer, { feed: 'databento', wanted, failure: fetched.failure, now })
  return fetched
}

const storedFile = (writer: Writer, { wanted, facts, now, path }: FeedAnswer & { readonly path: string }): Fetched => {
  const { key, span, contract } = wanted
  const answered = (entries: number): Fetched => {
    recordAnswer(writer, { feed: 'databento', contract: key, span, entries, now })
    return { added: entries, failure: null }
  }
  const name = 'fetched.csv'
  const isEmpty = statSync(path).size < shortest && readFileSync(path, 'latin1').trimEnd().split('\n').length === 1
  const sniffed = sniffPrices(name, headOf(path))
  if (isEmpty && headOf(path).length > 0) return answered(0)
  if (sniffed === null || !sniffed.ok) return { added: 0, failure: 'unreadable' }
  const seen = { reading: sniffed.value, contract, named: false }
  const { problem, contracts } = importPriceFile(writer, { path, name, contract, choice: null }, seen, { ...facts, tickSize: wanted.tickSize }, { zone: 'UTC', now })
  if (problem === null) return answered(contracts.reduce((sum, { added, known }) => sum + added + known, 0))
  if (problem === 'no-rows') return answered(0)
  return { added: 0, failure: problem === 'unlike-fills' ? 'unlike-fills' : problem === 'too-large' ? 'room-full' : 'unreadable' }
}
