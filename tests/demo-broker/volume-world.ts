import { chicagoTime, dayNumber } from '#demo-broker/calendar.ts'
import { frontMonth, PRODUCTS } from '#demo-broker/contracts.ts'
import { randomFor } from '#demo-broker/random.ts'
import { numberRows, walkOf } from '#demo-broker/seeded-world.ts'
import type { Account, OrderDraft, World } from '#demo-broker/world.ts'

const FIRST_ID = 600_000_000_000
const SESSION_MS = 8 * 3_600_000
const OPENING_CASH = 10_000_000_000

/** One session of many fills, shared out evenly over accounts and contracts; each account holds at most a few lots at a time. */
export const volumeWorld = (
  seed: number, anchor: string, size: { readonly fills: number; readonly accounts: number; readonly contracts: number },
): World => {
  const random = randomFor(`${seed}/volume`)
  const begin = chicagoTime(anchor, 7 * 60)
  const contracts = PRODUCTS.slice(0, size.contracts).map((product) => ({ contract: frontMonth(product, anchor), level: Math.round((product.level * product.tickScale) / product.tickUnits) }))
  const accounts = Array.from({ length: size.accounts }, (_, index) => volumeAccount(index))
  const nets = new Map<string, number>()
  const drafts: OrderDraft[] = []

  for (let index = 0; index < size.fills; index += 1) {
    const account = accounts[index % accounts.length]
    const traded = contracts[Math.floor(index / accounts.length) % contracts.length]
    if (account === undefined || traded === undefined) throw new RangeError('A volume needs at least one account and one contract')
    const key = `${account.id}/${traded.contract.id}`
    const net = nets.get(key) ?? 0
    const action = net > 4 ? 'Sell' : net < -4 ? 'Buy' : random.next() < 0.5 ? 'Buy' : 'Sell'
    const qty = random.whole(1, 3)
    nets.set(key, net + (action === 'Buy' ? qty : -qty))
    const time = begin + Math.floor((index / size.fills) * SESSION_MS)
    const ticks = (traded.level += random.whole(-2, 2))
    drafts.push({
      accountId: account.id, contract: traded.contract, session: anchor, action, qty, ticks: null, type: 'Market',
      time: time - 20, endsAt: time, outcome: 'Filled', fills: [{ time, qty, ticks, bustedAt: null }],
    })
  }
  return {
    logins: [{ userId: 9001, name: 'volume', fullName: 'Volume', email: 'volume@example.com', organization: null }],
    accounts,
    sessions: [anchor],
    ...numberRows(drafts, FIRST_ID + dayNumber(anchor) * 100_000),
    walk: walkOf([anchor]),
    mark: ({ id }) => contracts.find(({ contract }) => contract.id === id)?.level ?? 0,
  }
}

const volumeAccount = (index: number): Account => ({
  id: 710_000 + index,
  name: `VOLUME${String(index + 1).padStart(3, '0')}`,
  environment: 'demo',
  ownerId: 9001,
  traderId: 9001,
  evaluationSize: null,
  cash: (['USD', 'EUR'] as const).map((currency, row) => ({ id: 720_000 + index * 2 + row, currency, opening: OPENING_CASH })),
})
