import { err, type Result } from '#shared/base/result.ts'
import type { LoginOfUser } from './token-keeper.ts'
import type { BarAsk, BarsRead } from '../brokers/bars.ts'
import type { BrokerFailure } from '../brokers/failure.ts'
import type { BrokerageLogin } from '../brokers/port.ts'
import type { Login } from '../db/rows.ts'

/** Bars that a user's trades need, through one of the user's logins. */
export type BarRequest = LoginOfUser & Pick<Login, 'broker'> & BarAsk

type Open = (login: Pick<Login, 'id' | 'userId' | 'broker'>) => Promise<BrokerageLogin | BrokerFailure>

/** Reads bars with the sync thread's logins, because it has their tokens and rate limits. */
export const createBarReads = (open: Open, stopped: AbortSignal) => {
  const running = new Map<string, AbortController>()
  return {
    /** Gives up if the user stops it, or at shutdown. */
    read: async ({ userId, loginId, broker, ...ask }: BarRequest): Promise<Result<BarsRead, BrokerFailure>> => {
      const own = running.get(userId) ?? new AbortController()
      running.set(userId, own)
      const login = await open({ id: loginId, userId, broker })
      if ('kind' in login) return err(login)
      if (login.bars === undefined) return err({ kind: 'permission-missing' })
      const unprepared = await login.prepare()
      return unprepared === null ? login.bars(ask, AbortSignal.any([own.signal, stopped])) : err(unprepared)
    },
    stop: (userId: string): void => {
      running.get(userId)?.abort()
      running.delete(userId)
    },
  }
}
