import { setImmediate as nextTurn } from 'node:timers/promises'
import { addDays, sessionsUpTo } from './chicago.ts'
import { pricesOf } from './price-path.ts'
import { ACCOUNTS, type SeededAccount } from './seed-people.ts'
import { createTraders } from './seeds.ts'
import type { World } from './world.ts'

/** Sessions before those of the walk: about half a year. */
const PAST_SESSIONS = 126

/** What happened before the first session of a world: its orders and executions, by time, then id. */
export type Past = Pick<World, 'sessions' | 'orders' | 'executions'>

/** Nothing happened before. */
export const noPast = (): Promise<Past> => Promise.resolve({ sessions: [], orders: [], executions: [] })

type Before = { readonly seed: number; readonly dollarsOnly: boolean; readonly before: string }

const traded = new Map<string, Promise<Past>>()

/**
 * The half year that the traders of a seed traded before a session; the last evening they hold nothing over night, since
 * the world that follows begins flat. It takes about a second, once a process, and lets others have their turn after each session.
 */
export const tradePast = (wanted: Before): Promise<Past> => {
  const key = JSON.stringify([wanted.seed, wanted.dollarsOnly, wanted.before])
  const past = traded.get(key) ?? tradeAnew(wanted)
  traded.set(key, past)
  return past
}

const tradeAnew = async ({ seed, dollarsOnly, before }: Before): Promise<Past> => {
  const sessions = sessionsUpTo(addDays(before, -1), PAST_SESSIONS)
  const traders = createTraders({ seed, prices: pricesOf(seed), dollarsOnly })
  const orders: World['orders'][number][] = []
  const executions: World['executions'][number][] = []
  for (const session of sessions) {
    const rows = traders.trade(session, session === sessions.at(-1) ? ACCOUNTS.map(flatByNight) : ACCOUNTS)
    orders.push(...rows.orders)
    executions.push(...rows.executions)
    await nextTurn()
  }
  return { sessions, orders, executions }
}

const flatByNight = ({ style, ...account }: SeededAccount): SeededAccount => {
  const { skill, risk, appetite, blocks, bust } = style
  return { ...account, style: { skill, risk, appetite, blocks, ...(bust === undefined ? {} : { bust }) } }
}
