import type { Log } from '#shared/base/log.ts'
import type { Client } from '../../threads/rpc.ts'
import type { CopierMainCalls } from './calls.ts'

type Copied = Parameters<CopierMainCalls['copied']>[0]['orders'][number] & { readonly clOrdId: string }

/** Bounds a user's backlog: if the journal fails for long, the oldest marks wait in the store for the next start. */
const mostKept = 10_000

/** Filled copier orders waiting for the journal to mark their trades as copied; `marked` is called for each that it marked. */
export const createCopiedOrders = ({ main, marked, log }: { readonly main: Pick<Client<CopierMainCalls>, 'copied'>; readonly marked: (clOrdId: string) => void; readonly log: Pick<Log, 'warn'> }) => {
  const waiting = new Map<string, readonly Copied[]>()
  const keep = (userId: string, orders: readonly Copied[]): void => void waiting.set(userId, [...orders, ...(waiting.get(userId) ?? [])].slice(0 - mostKept))

  const reportUser = async (userId: string, orders: readonly Copied[]): Promise<void> => {
    waiting.delete(userId)
    try {
      await main.copied({ userId, orders: orders.map(({ account, orderId }) => ({ account, orderId })) })
      for (const { clOrdId } of orders) marked(clOrdId)
    } catch (error) {
      keep(userId, orders)
      log.warn({ error, orders: orders.length }, 'marking copied trades failed')
    }
  }

  return {
    add: (userId: string, order: Copied): void => void waiting.set(userId, [...(waiting.get(userId) ?? []), order]),
    /** Reports the backlog; a failed report is retried next time. Never rejects. */
    report: async (): Promise<void> => void (await Promise.all([...waiting].map(([userId, orders]) => reportUser(userId, orders)))),
  }
}
