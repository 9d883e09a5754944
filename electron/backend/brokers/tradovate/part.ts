import { err, ok } from '#shared/base/result.ts'
import { areSameAmounts } from '#shared/money/currency-amounts.ts'
import { goesOn } from '../failure.ts'
import type { BrokerageLogin, BrokeragePart } from '../port.ts'
import { tradovateBars } from './charts.ts'
import { createAmountReader, mostFee, totalFee } from './fees.ts'
import type { TradovateAsk } from './lists.ts'
import type { Login } from './login.ts'
import { accountKey, mapBalances, readCurrencies } from './mapping.ts'
import { createReads } from './reads.ts'
import { readSession } from './session.ts'
import { renewalFailure, type RenewalOutcome } from './tokens.ts'
import type { CurrencyRow } from './wire.ts'

/** A Tradovate login for runs: its token is renewed before a run if it is due, so that it does not expire during the run. */
export const tradovateLogin = (login: Login): BrokerageLogin => {
  const own = withNewSession(login)
  return {
    prepare: async () => {
      const outcome = await login.renewIfDue()
      return outcome?.kind === 'refused' ? renewalFailure(outcome) : null
    },
    part: (ask) => tradovatePart({ ...ask, reads: createReads(own, ask.side) }),
    bars: (ask, signal) => tradovateBars(login, ask, signal),
  }
}

/** A login that opens a new session, once, if newer ones of the same user closed its own: the user or the schedule wants the run. */
const withNewSession = (login: Login): Login => {
  let reopened: Promise<RenewalOutcome> | null = null
  return {
    ...login,
    read: async (call, signal) => {
      const answer = await login.read(call, signal)
      if (answer.ok || answer.error.kind !== 'session-pushed-out') return answer
      const outcome = await (reopened ??= login.reopen())
      return outcome.kind === 'renewed' ? login.read(call, signal) : err(renewalFailure(outcome))
    },
  }
}

/** One login on one side of Tradovate, in one run. */
const tradovatePart = (ask: TradovateAsk): BrokeragePart => {
  const { side, reads, progress, signal } = ask
  /** Null where the list could not be read: then no amount can be named. */
  let currencies: readonly CurrencyRow[] | null = null

  return {
    accounts: async () => {
      const listed = await reads.accounts(signal)
      if (!listed.ok) return listed
      ask.leaveOut(listed.value.refused)
      return ok(listed.value.rows.map(({ id, name, closed, archived }) => ({ key: accountKey(side, id), environment: side, brokerAccountId: String(id), name, closed: closed === true || archived === true })))
    },
    balances: async () => {
      const named = await reads.currencies(signal)
      if (!named.ok && !goesOn(named.error)) return named
      if (named.ok) ask.leaveOut(named.value.refused)
      else ask.failed(named.error)
      currencies = named.ok ? named.value.rows : null
      progress({ phase: 'balances', done: 1, total: 2 })
      if (currencies === null) return ok([])
      const listed = await reads.cashBalances(signal)
      if (!listed.ok) {
        if (!goesOn(listed.error)) return err(listed.error)
        ask.failed(listed.error)
        return ok([])
      }
      const { balances, refused } = mapBalances(side, listed.value.rows, currencies)
      ask.leaveOut([...listed.value.refused, ...refused])
      return ok(balances)
    },
    session: () => readSession(ask, currencies),
    bookedSince: async (fills, specs) => {
      if (currencies === null) return ok(null)
      const fees = await reads.feesOf(fills.map(({ id }) => Number(id)), signal)
      // What the broker said last stays.
      if (!fees.ok) return fees.error.kind === 'permission-missing' ? ok([]) : fees
      const amountOf = createAmountReader(mostFee)
      const currencyOf = readCurrencies(currencies)
      const rows = new Map(fees.value.rows.map((row) => [String(row.id), row]))
      return ok(
        fills.flatMap((fill) => {
          const [row, spec] = [rows.get(fill.id), specs.get(fill.contract)]
          if (row === undefined || spec?.tickSize !== fill.tickSize) return []
          const fee = totalFee(row, spec.currency, amountOf, currencyOf)
          return !fee.ok || fee.value.fee === null || (fee.value.fee === fill.fee && areSameAmounts(fee.value.otherFees, fill.otherFees)) ? [] : [{ ...fill, ...fee.value }]
        }),
      )
    },
  }
}
