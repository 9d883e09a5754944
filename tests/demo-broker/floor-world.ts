import { addDays, chicagoTime, dayNumber, sessionsUpTo } from '#demo-broker/calendar.ts'
import { frontMonth, productNamed, type Product } from '#demo-broker/contracts.ts'
import { numberRows } from '#demo-broker/seeded-world.ts'
import type { Account, Login, OrderDraft, World } from '#demo-broker/world.ts'

/** Plain accounts that live orders are placed on. */
export type FloorScenario = {
  readonly kind: 'floor'
  /** Each with so many accounts; they are numbered through, `DEMO730001` where the money is simulated and `730001` where it is real. */
  readonly logins: readonly { readonly name: string; readonly live: number; readonly demo: number }[]
  /** What is open at the start, in a product's front month and at its first price; `overnight`: since the session before. */
  readonly openPositions?: readonly { readonly account: string; readonly product: string; readonly net: number; readonly overnight?: boolean }[]
}

const DOLLAR = 10_000
const OPENING_CASH = 100_000 * DOLLAR
const FIRST_USER = 9101
const FIRST_ACCOUNT = 730_001
const FIRST_CASH = 740_001
const FIRST_ID = 600_000_000_000
const IDS_PER_DAY = 100_000
/** Half past ten in Chicago: the market is open for hours yet. */
const CLOCK_MINUTE = 10 * 60 + 30

/** The level around which a product's prices walk, in whole ticks. */
export const levelTicks = ({ level, tickScale, tickUnits }: Product): number => Math.round((level * tickScale) / tickUnits)

/** Plain accounts with no history but the positions that are asked for; prices stand still until they are set. */
export const floorWorld = (anchor: string, { logins, openPositions = [] }: FloorScenario): World => {
  const people = logins.map(({ name }, index): Login => ({ userId: FIRST_USER + index, name, fullName: name, email: `${name}@example.com`, organization: null }))
  const accounts = logins.flatMap(({ live, demo }, index) => [...Array<'live'>(live).fill('live'), ...Array<'demo'>(demo).fill('demo')]
    .map((environment) => ({ environment, traderId: FIRST_USER + index })))
    .map((each, index) => plainAccount(each, index))
  const sessions = sessionsUpTo(anchor, 2)
  const [before = addDays(anchor, -1)] = sessions
  const drafts = openPositions.map((position, index): OrderDraft => {
    const account = accounts.find(({ name }) => name === position.account)
    if (account === undefined) throw new RangeError(`The floor has no account ${position.account}`)
    const session = position.overnight === true ? before : anchor
    const contract = frontMonth(productNamed(position.product), anchor)
    const time = chicagoTime(session, 9 * 60) + index
    const qty = Math.abs(position.net)
    return {
      accountId: account.id, contract, session, time, action: position.net > 0 ? 'Buy' : 'Sell', qty, type: 'Market', ticks: null, endsAt: time, outcome: 'Filled',
      fills: [{ time, qty, ticks: levelTicks(contract.product), bustedAt: null }],
    }
  })
  return {
    logins: people, accounts, sessions,
    ...numberRows(drafts, FIRST_ID + dayNumber(anchor) * IDS_PER_DAY),
    walk: [{ session: anchor, at: chicagoTime(anchor, CLOCK_MINUTE) }],
    mark: ({ product }) => levelTicks(product),
  }
}

const plainAccount = ({ environment, traderId }: Pick<Account, 'environment' | 'traderId'>, index: number): Account => ({
  id: FIRST_ACCOUNT + index,
  name: `${environment === 'demo' ? 'DEMO' : ''}${FIRST_ACCOUNT + index}`,
  environment,
  ownerId: traderId,
  traderId,
  evaluationSize: null,
  cash: [{ id: FIRST_CASH + index, currency: 'USD', opening: OPENING_CASH }],
})
