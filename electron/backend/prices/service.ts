import type { AnswerOf, BodyOf, QueryOf } from '#shared/api/route.ts'
import type { chartLimitRoutes } from '#shared/api/chart-limits.ts'
import type { CandleColumns, PricePreviewShown, priceRoutes, StatedExcursionsShown, StepColumns, TradeChart, TradeExcursions } from '#shared/api/prices.ts'
import { refuse, wrongField, type Refused } from '#shared/api/refused.ts'
import { filterOf } from '#shared/api/statistics.ts'
import type { whatIfRoutes } from '#shared/api/what-if.ts'
import type { StatedExcursions } from '#shared/imports/reading.ts'
import { latestTradingDay, sessionOf } from '#shared/market/session.ts'
import { amountOf, exactMoney, parseAmount, type Amount, type Currency } from '#shared/money/money.ts'
import type { Log } from '#shared/base/log.ts'
import { ok, type Result } from '#shared/base/result.ts'
import type { Candle } from '#shared/prices/candles.ts'
import { contractKey, contractOfKey } from '#shared/prices/contract-key.ts'
import type { BestExit, Bounds, Excursion, Excursions, ExtremeTimes, Ratio, TradeFill } from '#shared/prices/excursions.ts'
import type { PriceSource } from '#shared/prices/formats/format.ts'
import type { StepPage } from '#shared/prices/steps.ts'
import type { Span } from '#shared/prices/tape.ts'
import type { Uploads } from '../imports/uploads.ts'
import type { JournalCalls, JournalPorts } from '../journal/journal.ts'
import { createKeyedMutex } from '../mutex.ts'
import type { ChartTrade } from './chart-trade.ts'
import type { NeededPrices } from './needed-prices.ts'
import type { UntimedTrade } from './priced-trade.ts'
import type { PriceThread } from './price-thread.ts'
import type { ChartPrices, FetchedPrints, PriceWork, Refreshed } from './prices-worker.ts'
import { ratioUnits, unitsText } from './store/ratio-units.ts'
import type { TradeCursor } from './trades-to-price.ts'
import { inspectPriceFile, type PriceImported, type PricePreview } from './price-imports.ts'

type Routes = typeof priceRoutes
type LimitRoutes = typeof chartLimitRoutes
type WhatIfRoutes = typeof whatIfRoutes
type PriceRequest = BodyOf<Routes['previewPrices']>

/** Yields the prints that it has of those that trades need, in the order of time for each contract. */
export type PrintSource = (missing: readonly NeededPrices[]) => AsyncIterable<FetchedPrints>

/** `port` opens the journal for another thread; `changed` is called when a user's prices or excursions changed; `now` is UTC ms. */
type Deps = {
  readonly read: Pick<JournalCalls['read'], 'fillPrices' | 'pricedTrade' | 'statedExcursions' | 'neededPrices' | 'chartTrade' | 'chartLimitsOf'>
  readonly port: () => JournalPorts
  readonly changed: (userId: string) => void
  readonly log: Log
  readonly uploads: Pick<Uploads, 'find' | 'drop'>
  readonly thread: PriceThread
  readonly now: () => number
}

/** Whether a file that was sent is one of prices, by its first bytes. */
export const isPriceFile = (path: string, name: string): boolean => inspectPriceFile({ path, name, contract: null }, 0) !== null

/** Prices of contracts, each user's own, from files and price feeds. */
export type Prices = ReturnType<typeof createPrices>

const megabyte = 1_000_000
/** How long one part of a recompute takes, before others may write. */
const refreshMs = 1_500
/** Prints that are handed to the thread at once: some 10 MB. */
const entriesAtOnce = 500_000

const buffersOf = ({ at, price, size }: FetchedPrints): ArrayBuffer[] => [at.buffer, price.buffer, size.buffer].flatMap((buffer) => (buffer instanceof ArrayBuffer ? [buffer] : []))
/** When the session of a trade's last fill ends, UTC ms. */
const closeAfter = ({ fills }: UntimedTrade): number => sessionOf(latestTradingDay(fills.at(-1)?.time ?? 0)).closes
const isoOf = (us: number): string => new Date(Math.floor(us / 1000)).toISOString()

export const createPrices = ({ read, port, uploads, thread, changed, log, now }: Deps) => {
  const { jobs, pathsOf, guarded, writing, hasFile } = thread
  const fetching = createKeyedMutex()
  let closed = false

  /** One recompute of a user's excursions, in parts between which others may write. */
  const refreshOnce = async (userId: string): Promise<void> => {
    let count = 0
    for (let after: TradeCursor | null = null; ; ) {
      const from: TradeCursor | null = after
      const part: Result<Refreshed, Refused> = await writing(userId, () => {
        const journal = port()
        return jobs.run('refresh', { paths: pathsOf(userId), userId, journal, after: from, forMs: refreshMs }, undefined, [journal.reader, journal.writer])
      })
      if (!part.ok) return
      count += part.value.changed
      after = part.value.next
      if (after === null) break
    }
    if (count > 0) changed(userId)
  }
  // A change that comes while a computing runs makes one more, whatever the number of changes.
  const refreshing = new Map<string, { again: boolean; readonly ended: Promise<void> }>()
  const refresh = (userId: string): Promise<void> => {
    const running = refreshing.get(userId)
    if (running !== undefined) {
      running.again = true
      return running.ended
    }
    const run = async (): Promise<void> => {
      try {
        if (!hasFile(userId) || closed) return
        do {
          state.again = false
          await refreshOnce(userId)
        } while (state.again && !closed)
      } catch (error) {
        if (!closed) log.warn({ error }, 'computing excursions failed')
      } finally {
        refreshing.delete(userId)
      }
    }
    const state = { again: false, ended: Promise.resolve() }
    refreshing.set(userId, state)
    state.ended = run()
    return state.ended
  }

  // What is under way when a user's prices are deleted must not bring them back.
  const forgets = new Map<string, number>()
  /** Fetches missing prices from a source other than a file, and stores them. */
  const fetchOnce = async (userId: string, source: PriceSource, printsOf: PrintSource): Promise<void> => {
    const began = forgets.get(userId)
    const isOver = (): boolean => closed || forgets.get(userId) !== began
    const needed = await read.neededPrices({ userId })
    if (needed.length === 0) return
    const missing = await guarded(() => jobs.run('missing', { paths: pathsOf(userId), needed, now: now() }))
    if (!missing.ok || missing.value.length === 0) return
    let [lists, entries]: [FetchedPrints[], number] = [[], 0]
    const put = async (): Promise<void> => {
      if (lists.length === 0) return
      const sent = lists
      ;[lists, entries] = [[], 0]
      const stored = await writing(userId, () => (isOver() ? Promise.resolve() : jobs.run('put', { paths: pathsOf(userId), source, lists: sent, now: now() }, undefined, sent.flatMap(buffersOf))))
      if (!stored.ok) throw new Error(`Prices could not be stored: ${stored.error.code}`)
    }
    for await (const list of printsOf(missing.value)) {
      // Between two writings prices are taken for unknown, so a contract's go together: a trade may reach over the halt.
      if (entries >= entriesAtOnce && lists.at(-1)?.key !== list.key) await put()
      if (isOver()) return
      lists.push(list)
      entries += list.at.length
    }
    await put()
    if (!isOver()) changed(userId)
  }

  const workOf = async (userId: string, { uploads: wanted, zone }: PriceRequest): Promise<Result<PriceWork, Refused>> => {
    const files: PriceWork['files'][number][] = []
    for (const { id, name, contract, choice } of wanted) {
      const found = uploads.find(userId, id)
      if (found === null) return refuse('not-found')
      const file = { path: found.path, name, contract: contract === '' ? null : contract, choice }
      const seen = inspectPriceFile(file, now())
      const named = seen === null || typeof seen === 'string' ? null : seen.contract
      files.push({ file, facts: named === null ? null : await read.fillPrices({ userId, contract: named }) })
    }
    return ok({ paths: pathsOf(userId), files, zone, now: now() })
  }

  /** Notifies the user's pages, and recomputes excursions. */
  const pricesChanged = (userId: string): void => {
    changed(userId)
    void refresh(userId)
  }
  const changing = async <T>(userId: string, work: Promise<Result<T, Refused>>): Promise<Result<T, Refused>> => {
    const result = await work
    if (result.ok) pricesChanged(userId)
    return result
  }
  /** Where the prices of a trade's contract lie; null where there is no such trade. */
  const priceTargetOf = async (userId: string, id: string) => {
    const priced = await read.pricedTrade({ userId, id })
    const contract = priced && contractKey(priced.contract)
    return priced === null || contract === null ? null : { paths: pathsOf(userId), contract, tickSize: priced.tickSize }
  }

  return {
    /** Computes the excursions of trades whose fills or prices changed; does nothing without prices. Settles when they are computed. */
    refresh,
    /** Saves prints that trades need, from a source that is no file, then computes excursions. Fetches of a user run one after another; what fails is logged, and is missing at the next. */
    fetch: (userId: string, source: PriceSource, printsOf: PrintSource): Promise<void> =>
      fetching(userId, async () => {
        try {
          await fetchOnce(userId, source, printsOf)
        } catch (error) {
          if (!closed) log.warn({ error }, 'fetching prices failed')
        }
        await refresh(userId)
      }),
    /** New prices were stored: notifies the user's pages, and recomputes excursions. */
    changed: pricesChanged,
    preview: async (userId: string, request: PriceRequest): Promise<Result<AnswerOf<Routes['previewPrices']>, Refused>> => {
      const work = await workOf(userId, request)
      if (!work.ok) return work
      const looked = await guarded(() => jobs.run('preview', work.value))
      return looked.ok ? ok({ files: looked.value.map(shown) }) : looked
    },
    add: async (userId: string, request: PriceRequest): Promise<Result<AnswerOf<Routes['importPrices']>, Refused>> => {
      const work = await workOf(userId, request)
      if (!work.ok) return work
      const added = await writing(userId, () => jobs.run('add', work.value))
      if (!added.ok) return added
      const files = added.value
      pricesChanged(userId)
      await uploads.drop(userId, request.uploads.flatMap(({ id }, index) => (files[index]?.problem === null ? [id] : [])))
      return ok({ success: true, files: files.map(importedAnswer) })
    },
    stored: async (userId: string): Promise<Result<AnswerOf<Routes['prices']>, Refused>> => {
      const stored = await guarded(() => jobs.run('stored', { paths: pathsOf(userId) }))
      if (!stored.ok) return stored
      const { series, bytes, limits } = stored.value
      return ok({
        series: series.map(({ contract, first, until, ...one }) => ({ ...one, contract: contractOfKey(contract), from: isoOf(first), to: isoOf(until) })),
        bytes,
        limit: { megabytes: limits.bytes === null ? null : Math.round(limits.bytes / megabyte), days: limits.days },
      })
    },
    /** The excursions of a trade or a fill pair, null if there is none, or no price within it; and those that a file states. */
    excursions: async (userId: string, id: string): Promise<Result<AnswerOf<Routes['excursions']>, Refused>> => {
      const [priced, stated] = await Promise.all([read.pricedTrade({ userId, id }), read.statedExcursions({ userId, id })])
      const contract = priced && contractKey(priced.contract)
      if (priced === null || contract === null) return ok({ excursions: null, stated: stated && statedAnswer(stated, null) })
      const { tickSize, trade, currency } = priced
      const answer = await guarded(() => jobs.run('excursions', { paths: pathsOf(userId), contract, tickSize, trade, closes: closeAfter(trade) }))
      if (!answer.ok) return answer
      const found = answer.value
      return ok({ excursions: found && excursionsAnswer(currency, found), stated: stated && statedAnswer(stated, found?.found ?? null) })
    },
    /** What the chart of a trade shows beside prices; null where there is none. */
    chart: async (userId: string, id: string): Promise<Result<AnswerOf<Routes['tradeChart']>, Refused>> => {
      const found = await read.chartTrade({ userId, id })
      const contract = found && contractKey(found.contract)
      if (found === null || contract === null) return ok({ chart: null })
      const { tickSize, session, fills } = found
      const span = { from: session.from * 1000, to: session.to * 1000 }
      const trade = { from: (fills[0]?.time ?? 0) * 1000, to: (fills.at(-1)?.time ?? 0) * 1000 + 1 }
      const known = await guarded(() => jobs.run('known', { paths: pathsOf(userId), contract, tickSize, span, trade }))
      return known.ok ? ok({ chart: chartAnswer(found, known.value) }) : known
    },
    /** What the loss limits of a trade's account depend on; null without any. */
    limits: async (userId: string, id: string): Promise<Result<AnswerOf<LimitRoutes['chartLimits']>, Refused>> => ok({ limits: await read.chartLimitsOf({ userId, id }) }),
    /** Candles of a trade's contract. */
    candles: async (userId: string, { id, from, to, size }: QueryOf<Routes['candles']>): Promise<Result<AnswerOf<Routes['candles']>, Refused>> => {
      const asked = await priceTargetOf(userId, id)
      if (asked === null) return refuse('not-found')
      const found = await guarded(() => jobs.run('candles', { ...asked, span: { from: from * 1000, to: to * 1000 }, size }))
      if (!found.ok) return found
      if (found.value === 'too-coarse') return refuse('prices-too-coarse')
      return found.value === 'too-many' ? refuse('invalid-request') : ok({ candles: candleAnswer(found.value) })
    },
    /** A page of the steps of a replay. */
    steps: async (userId: string, { id, from, to }: QueryOf<Routes['steps']>): Promise<Result<AnswerOf<Routes['steps']>, Refused>> => {
      const asked = await priceTargetOf(userId, id)
      if (asked === null) return refuse('not-found')
      const found = await guarded(() => jobs.run('steps', { ...asked, span: { from, to: to * 1000 } }))
      return found.ok ? ok({ steps: stepAnswer(found.value) }) : found
    },
    /** What exit rules would have made of the trades of a filter. First notes that they were tried: the answer depends on the number of tries. */
    whatIf: async (userId: string, { filter: given, rules, fee, ...terms }: BodyOf<WhatIfRoutes['whatIf']>): Promise<Result<AnswerOf<WhatIfRoutes['whatIf']>, Refused>> => {
      const amount = fee === null ? null : parseAmount(fee, 'half-even')
      if (amount?.ok === false) return wrongField('fee', 'not an amount')
      const [filter, exits] = [filterOf(given), { rules, terms, fee: amount?.value ?? null }]
      const noted = await writing(userId, () => jobs.run('recordTries', { paths: pathsOf(userId), exits, filter, now: now() }))
      if (!noted.ok) return noted
      const variantsTried = noted.value
      if (variantsTried === null) return ok({ priced: false, currency: null, trades: 0, leftOut: { addedLater: 0, otherCurrency: 0 }, heldFrom: null, variantsTried: 0, variants: [] })
      const journal = port()
      const found = await guarded(() => jobs.run('whatIf', { paths: pathsOf(userId), userId, journal, filter, exits, variantsTried }, undefined, [journal.reader, journal.writer]))
      return found.ok ? ok({ priced: true, ...found.value, variantsTried, variants: [...found.value.variants] }) : found
    },
    remove: async (userId: string, { contract, source, grain }: BodyOf<Routes['removePrices']>): Promise<Result<unknown, Refused>> => {
      const key = contractKey(contract)
      return key === null ? refuse('not-found') : changing(userId, writing(userId, () => jobs.run('remove', { paths: pathsOf(userId), series: { contract: key, source, grain } })))
    },
    /** Returns the parts that were freed. */
    setLimit: (userId: string, { megabytes, days }: BodyOf<Routes['setPriceLimit']>) =>
      changing(userId, writing(userId, () => jobs.run('limit', { paths: pathsOf(userId), limits: { bytes: megabytes === null ? null : megabytes * megabyte, days }, now: now() }))),
    /** Deletes all prices of a user. */
    forget: async (userId: string): Promise<void> => {
      forgets.set(userId, (forgets.get(userId) ?? 0) + 1)
      await thread.forget(userId)
      changed(userId)
    },
    stop: (): Promise<void> => {
      closed = true
      return jobs.close()
    },
  }
}

const importedAnswer = ({ freed, contracts, bad, ...file }: PriceImported) => ({
  ...file,
  contracts: [...contracts],
  bad: [...bad],
  freed: freed.map(({ contract, until }) => ({ contract: contractOfKey(contract), to: isoOf(until) })),
})

const shown = ({ contracts, ...preview }: PricePreview): PricePreviewShown => ({
  ...preview,
  bad: [...preview.bad],
  choices: [...preview.choices],
  contracts: contracts.map(({ first, until, ...one }) => ({ ...one, from: isoOf(first), to: isoOf(until) })),
})

const fill = ({ time, qty, price }: TradeFill) => ({ at: time, qty, price })

/** What a chart shows beside prices as the API states it. */
const chartAnswer = ({ fills, others, closed, orders, ...chart }: ChartTrade, { known, prints }: ChartPrices): TradeChart => ({
  ...chart,
  fills: fills.map(fill),
  others: others.map(fill),
  closed: [...closed],
  orders: orders.map(({ side, kind, steps, until }) => ({ side, kind, until, steps: [...steps] })),
  prints,
  known: known.map(({ from, to, grain }) => ({ from: Math.floor(from / 1000), to: Math.ceil(to / 1000), grain: grain === 'prints' ? 0 : grain })),
})

/** Candles as the API states them. */
const candleAnswer = (candles: readonly Candle[]): CandleColumns => ({
  at: candles.map(({ at }) => at / 1_000_000),
  open: candles.map(({ open }) => open),
  high: candles.map(({ high }) => high),
  low: candles.map(({ low }) => low),
  close: candles.map(({ close }) => close),
})

/** Steps of a replay as the API states them: small differences make short text. */
const stepAnswer = ({ grain, steps, next }: StepPage): StepColumns => {
  const differences = (of: 'at' | 'close'): number[] => steps.map((step, index) => step[of] - (steps[index - 1]?.[of] ?? 0))
  const toClose = (of: 'open' | 'high' | 'low'): number[] => steps.map((step) => step[of] - step.close)
  return { at: differences('at'), close: differences('close'), bars: grain === 'prints' ? null : { open: toClose('open'), high: toClose('high'), low: toClose('low') }, next }
}

const ratioText = (ratio: Ratio, round: 'down' | 'up'): string => unitsText(ratioUnits(ratio, round))

const ratios = ({ least, most }: Bounds<Ratio>) => ({ least: least && ratioText(least, 'down'), most: most && ratioText(most, 'up') })
const amounts = ({ least, most }: Bounds<Amount>) => ({ least: least === null ? null : exactMoney(least), most: most === null ? null : exactMoney(most) })
const ratioAmounts = ({ least, most }: Bounds<Ratio>) => ({ least: least && exactMoney(amountOf(Math.floor(least.num / least.den))), most: most && exactMoney(amountOf(Math.ceil(most.num / most.den))) })
const excursion = ({ amount, ticks, perContract, r }: Excursion) => ({ amount: amounts(amount), ticks: ratios(ticks), perContract: ratioAmounts(perContract), r: r && ratios(r) })
const times = (span: Span | null) => span && { from: Math.floor(span.from / 1000), to: Math.ceil(span.to / 1000) }

type FoundExcursions = { readonly found: Excursions; readonly times: ExtremeTimes; readonly exits: readonly { readonly minutes: number; readonly best: BestExit | null }[] }

/** Excursions as the API states them. */
const excursionsAnswer = (currency: Currency, { found, times: { toMfe, toMae }, exits }: FoundExcursions): TradeExcursions => ({
  currency,
  result: exactMoney(found.result),
  mfe: excursion(found.mfe),
  mae: excursion(found.mae),
  drawdown: amounts(found.drawdown),
  capture: found.capture && ratios(found.capture),
  entry: found.entry && ratios(found.entry),
  exit: found.exit && ratios(found.exit),
  total: found.total && ratios(found.total),
  toMfe: times(toMfe),
  toMae: times(toMae),
  bestExits: exits.flatMap(({ minutes, best }) => (best === null ? [] : [{ minutes, qty: best.qty, amount: amounts(best.amount), ticks: best.ticks }])),
})

const isWithin = (amount: Amount, { least, most }: Bounds<Amount>): boolean => (least === null || amount >= least) && (most === null || amount <= most)

/** What a file says of a trade's excursions, and whether it lies within Fillbook's bounds where there are any. */
const statedAnswer = ({ by, currency, mfe, mae }: StatedExcursions & { readonly currency: Currency }, found: Pick<Excursions, 'mfe' | 'mae'> | null): StatedExcursionsShown => {
  const amountJson = (amount: Amount | null, of: 'mfe' | 'mae') => (amount === null ? null : { amount: exactMoney(amount), within: found === null ? null : isWithin(amount, found[of].amount) })
  return { by, currency, mfe: amountJson(mfe, 'mfe'), mae: amountJson(mae, 'mae') }
}
