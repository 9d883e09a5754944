import type { Log } from '#shared/base/log.ts'
import type { Client } from '../../threads/rpc.ts'
import type { CopierMainCalls } from './calls.ts'

type Copied = Parameters<CopierMainCalls['copied']>[0]['orders'][number]

/** A journal that takes nothing for long loses the oldest marks of a user, rather than this thread its memory. */
const mostKept = 10_000

/** Orders of ours that filled, until the journal noted that their trades are copies. */
export type CopiedOrders = {
  readonly add: (userId: string, order: Copied) => void
  /** Tells what is not told yet; what the journal could not take is told the next time. It never rejects. */
  readonly tell: () => Promise<void>
}

/** None so far. */
export const createCopiedOrders = ({ main, log }: { readonly main: Pick<Client<CopierMainCalls>, 'copied'>; readonly log: Pick<Log, 'warn'> }): CopiedOrders => {
  const waiting = new Map<string, readonly Copied[]>()
  const keep = (userId: string, orders: readonly Copied[]): void => void waiting.set(userId, [...orders, ...(waiting.get(userId) ?? [])].slice(0 - mostKept))

  const tellUser = async (userId: string, orders: readonly Copied[]): Promise<void> => {
    waiting.delete(userId)
    try {
      await main.copied({ userId, orders })
    } catch (error) {
      keep(userId, orders)
      log.warn({ error, orders: orders.length }, 'Copied trades could not be marked')
    }
  }

  return {
    add: (userId, order) => void waiting.set(userId, [...(waiting.get(userId) ?? []), order]),
    tell: async () => void (await Promise.all([...waiting].map(([userId, orders]) => tellUser(userId, orders)))),
  }
}
