import { tradingDay } from '#shared/market/trading-day.ts'
import { serveLoopback, type Seen, type Served } from './loopback.ts'

/** A contract of the stand-in; a tick is worth whole cents. */
export type StandInContract = { readonly id: string; readonly name: string; readonly tickSize: number; readonly tickCents: number }

/** One half turn as it was made; money in hundredths of a cent, prices in ticks. */
type Half = { readonly id: number; readonly accountId: number; readonly contract: StandInContract; readonly at: number; readonly ticks: number; readonly side: 0 | 1; readonly size: number; readonly fees: number; readonly commissions: number; readonly orderId: number }

/** A trade to make. */
export type Made = { readonly account: number; readonly contract: StandInContract; readonly at: number; readonly ticks: number; readonly side: 'buy' | 'sell'; readonly size: number }

/** A stand-in for ProjectX with its own book: it matches first in, first out, and knows nothing of the product. */
export type ProjectxBroker = {
  readonly url: string
  readonly seen: readonly Seen[]
  /** Requests that came over the limit. */
  readonly refusedByLimit: () => number
  /** How often a call was made. */
  readonly asked: (call: string) => number
  readonly key: { readonly userName: string; readonly apiKey: string }
  readonly addAccount: (account: { readonly id: number; readonly name: string; readonly balance?: number; readonly simulated?: boolean; readonly isVisible?: boolean }) => void
  readonly trade: (made: Made) => number
  /** The broker takes a trade back, days later perhaps. */
  readonly void: (id: number) => void
  /** What it realized less all fees, by account and trading day, in dollars to the cent: `900101 2026-02-27`. */
  readonly netByDay: () => ReadonlyMap<string, string>
  /** Answers a request in the stand-in's place; a fault. */
  fault: ((seen: Seen, answer: () => Served) => Served | undefined) | null
  /** Ends every token, as if its 24 hours were over. */
  readonly endTokens: () => void
}

const hour = 3_600_000
const known = new Set(['/api/Auth/loginKey', '/api/Auth/validate', '/api/Account/search', '/api/Trade/search', '/api/Position/searchOpen', '/api/Contract/searchById'])

/** Starts one for the test that runs. `now` is its clock; requests beyond 200 in a minute of it are refused unless `unlimited`. */
export const startProjectx = async ({ now, contracts, unlimited = false }: { readonly now: () => number; readonly contracts: readonly StandInContract[]; readonly unlimited?: boolean }): Promise<ProjectxBroker> => {
  const key = { userName: 'Trader.One', apiKey: 'projectx-key-77f0aa31c2' }
  const accounts = new Map<number, { id: number; name: string; balance: number; canTrade: boolean; isVisible: boolean; simulated: boolean }>()
  const halves: Half[] = []
  const voided = new Set<number>()
  const tokens = new Map<string, number>()
  const arrivals: number[] = []
  let last = 0
  let overLimit = 0

  const good = (payload: object): Served => ({ json: { success: true, errorCode: 0, errorMessage: null, ...payload } })
  const notDone = (errorCode: number, errorMessage: string): Served => ({ json: { success: false, errorCode, errorMessage } })
  const newToken = (): string => {
    const token = `token-${String((last += 1))}`
    tokens.set(token, now() + 24 * hour)
    return token
  }

  /** First in, first out over what was not voided: what each half turn realized, in hundredths of a cent; null where it opened or added. */
  const realized = (): Map<number, number | null> => {
    const lots = new Map<string, { ticks: number; left: number }[]>()
    const outcome = new Map<number, number | null>()
    for (const half of halves.filter(({ id }) => !voided.has(id)).toSorted((one, other) => one.at - other.at || one.id - other.id)) {
      const book = `${String(half.accountId)} ${half.contract.id}`
      const own = lots.get(book) ?? []
      lots.set(book, own)
      const sign = half.side === 0 ? 1 : -1
      let [left, sum, closed] = [half.size, 0, false]
      while (left > 0 && own[0] !== undefined && Math.sign(own[0].left) === -sign) {
        const qty = Math.min(left, Math.abs(own[0].left))
        sum += (half.ticks - own[0].ticks) * -sign * qty * half.contract.tickCents * 100
        closed = true
        left -= qty
        own[0].left += sign * qty
        if (own[0].left === 0) own.shift()
      }
      if (left > 0) own.push({ ticks: half.ticks, left: sign * left })
      outcome.set(half.id, closed ? sum : null)
    }
    return outcome
  }

  const dollars = (hundredths: number): number => hundredths / 10_000
  const outcomeOf = (hundredths: number | null): number | null => (hundredths === null ? null : dollars(hundredths))

  const tradesOf = ({ fields }: Seen): Served => {
    const { accountId, startTimestamp, endTimestamp } = fields
    if (!accounts.has(Number(accountId))) return notDone(1, 'Account not found')
    const [from, to] = [Date.parse(String(startTimestamp)), endTimestamp === undefined ? Infinity : Date.parse(String(endTimestamp))]
    const sums = realized()
    return good({
      trades: halves
        .filter(({ accountId: id, at }) => id === accountId && at >= from && at <= to && at <= now())
        .map(({ id, contract, at, ticks, side, size, fees, commissions, orderId }) => ({
          ...{ id, accountId, contractId: contract.id, creationTimestamp: new Date(at).toISOString().replace('Z', '418+00:00'), price: ticks * contract.tickSize },
          ...{ profitAndLoss: outcomeOf(sums.get(id) ?? null), fees: dollars(fees), commissions: dollars(commissions), side, size, voided: voided.has(id), orderId },
        })),
    })
  }

  const positionsOf = ({ fields }: Seen): Served => {
    const accountId = Number(fields['accountId'])
    if (!accounts.has(accountId)) return notDone(1, 'Account not found')
    const nets = new Map<string, number>()
    for (const half of halves) if (half.accountId === accountId && !voided.has(half.id) && half.at <= now()) nets.set(half.contract.id, (nets.get(half.contract.id) ?? 0) + (half.side === 0 ? half.size : -half.size))
    const open = [...nets].filter(([, net]) => net !== 0)
    return good({ positions: open.map(([contractId, net], index) => ({ id: index + 1, accountId, contractId, creationTimestamp: new Date(now()).toISOString(), type: net > 0 ? 1 : 2, size: Math.abs(net), averagePrice: 1 })) })
  }

  const answer = (request: Seen): Served => {
    const { path, fields, bearer } = request
    if (!unlimited) {
      while (arrivals[0] !== undefined && arrivals[0] <= now() - 60_000) arrivals.shift()
      if (arrivals.length >= 200) {
        overLimit += 1
        return { status: 429, text: '' }
      }
      arrivals.push(now())
    }
    if (!known.has(path)) throw new Error(`The journal called ${path}`)
    if (path === '/api/Auth/loginKey') {
      const isRight = String(fields['userName']).toLowerCase() === key.userName.toLowerCase() && fields['apiKey'] === key.apiKey
      return isRight ? good({ token: newToken() }) : { json: { token: null, success: false, errorCode: 3, errorMessage: null } }
    }
    if (bearer === null || (tokens.get(bearer) ?? 0) <= now()) return { status: 401, text: '' }
    switch (path) {
      case '/api/Auth/validate':
        return good({ newToken: newToken() })
      case '/api/Account/search':
        return good({ accounts: [...accounts.values()].filter(({ canTrade }) => canTrade || fields['onlyActiveAccounts'] !== true) })
      case '/api/Trade/search':
        return tradesOf(request)
      case '/api/Position/searchOpen':
        return positionsOf(request)
      default: {
        const contract = contracts.find(({ id }) => id === fields['contractId'])
        return contract === undefined ? notDone(1, 'Contract not found') : good({ contract: { ...contract, tickCents: undefined, tickValue: contract.tickCents / 100, description: contract.name, activeContract: false } })
      }
    }
  }

  const broker: { fault: ProjectxBroker['fault'] } = { fault: null }
  const { url, seen } = await serveLoopback((request) => broker.fault?.(request, () => answer(request)) ?? answer(request))
  return Object.assign(broker, {
    url,
    seen,
    key,
    asked: (call: string) => seen.filter(({ path }) => path === call).length,
    addAccount: ({ id, name, balance = 50_000, simulated = true, isVisible = true }: Parameters<ProjectxBroker['addAccount']>[0]) => void accounts.set(id, { id, name, balance, canTrade: true, isVisible, simulated }),
    trade: ({ account, contract, at, ticks, side, size }: Made): number => {
      const id = 1_000_000 + halves.length
      halves.push({ id, accountId: account, contract, at, ticks, side: side === 'buy' ? 0 : 1, size, fees: size * 14_000, commissions: size * 5_200, orderId: id + 500_000 })
      return id
    },
    void: (id: number) => void voided.add(id),
    netByDay: () => {
      const sums = realized()
      const days = new Map<string, number>()
      for (const { id, accountId, at, fees, commissions } of halves) {
        if (voided.has(id)) continue
        const day = `${String(accountId)} ${tradingDay(at)}`
        days.set(day, (days.get(day) ?? 0) + (sums.get(id) ?? 0) - fees - commissions)
      }
      return new Map([...days].map(([day, sum]) => [day, dollars(sum).toFixed(2)]))
    },
    endTokens: () => tokens.clear(),
    refusedByLimit: () => overLimit,
  })
}

/** Two products: one whose tick is a quarter, one whose tick is a power of two. */
export const standInContracts = [
  { id: 'CON.F.US.ENQ.H26', name: 'NQH6', tickSize: 0.25, tickCents: 500 },
  { id: 'CON.F.US.MES.H26', name: 'MESH6', tickSize: 0.25, tickCents: 125 },
  { id: 'CON.F.US.TYA.H26', name: 'ZNH6', tickSize: 0.015625, tickCents: 1562.5 },
] as const satisfies readonly StandInContract[]
