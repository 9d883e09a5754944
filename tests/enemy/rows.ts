import { contracts, priceText, type Contract, type Fill } from './market.ts'
import { booked, cashOf, hasOrder, isListed, isReadable, positions, listedFeeCents, today, type Host, type World } from './world.ts'

/** A row of the broker's wire. */
export type Row = Readonly<Record<string, unknown>> & { readonly id: number }

const iso = (time: number): string => new Date(time).toISOString()
const dateOf = (day: string) => ({ year: Number(day.slice(0, 4)), month: Number(day.slice(5, 7)), day: Number(day.slice(8)) })
const priceOf = (contract: Contract, ticks: number): number => Number(priceText(contract, ticks))
const pointsOf = (contract: Contract, fills: readonly Fill[]): number => fills.reduce((sum, { qty, ticks }) => sum + qty * priceOf(contract, ticks), 0)
const currencyIds = { USD: 1, EUR: 2 } as const
const dollars = (cents: number): number => cents / 100

const ofHost = (world: World, host: Host): ReadonlySet<number> => new Set(world.accounts.filter((account) => account.host === host).map(({ id }) => id))

const spoilt: Record<Fill['rows']['spoilt'], unknown> = { price: 'n/a', action: 'Hold', qty: -1, timestamp: 'yesterday' }

const fillRow = (world: World, fill: Fill): Row => {
  const { id, orderId, contract, time, day, side, qty, ticks, active, rows } = fill
  const row = { id, orderId, contractId: contract.id, timestamp: iso(time), tradeDate: dateOf(day), action: side, qty, price: priceOf(contract, ticks), active, finallyPaired: 0, external: false }
  return isReadable(world, fill) ? row : { ...row, [rows.spoilt]: spoilt[rows.spoilt] }
}

const feeRow = (world: World, fill: Fill): Row[] => {
  const cents = listedFeeCents(world, fill)
  if (cents === null) return []
  const currency = currencyIds[fill.contract.product.currency]
  const commission = Math.floor(cents * 0.4)
  const nfaFee = Math.min(2, cents - commission)
  return [{ id: fill.id, commission: dollars(commission), commissionCurrencyId: currency, exchangeFee: dollars(cents - commission - nfaFee), exchangeCurrencyId: currency, nfaFee: dollars(nfaFee), nfaCurrencyId: currency }]
}

/** Of each order one row, with what the first of its fills says. */
const orderRows = (fills: readonly Fill[]): Row[] =>
  [...Map.groupBy(fills, ({ orderId }) => orderId)].flatMap(([id, [first]]) =>
    first === undefined ? [] : [{ id, accountId: first.account, contractId: first.contract.id, timestamp: iso(first.time - 5), action: first.side, ordStatus: 'Filled', executionProviderId: 1, archived: false, external: false, admin: false }],
  )

const positionRows = (world: World, accounts: ReadonlySet<number>): Row[] =>
  positions(world).filter(({ account }) => accounts.has(account)).map(({ id, account, contract, net, netPrice, before, beforePrice, traded }) => {
    const [bought, sold] = [traded.filter(({ side }) => side === 'Buy'), traded.filter(({ side }) => side === 'Sell')]
    const contractsIn = (fills: readonly Fill[]): number => fills.reduce((sum, { qty }) => sum + qty, 0)
    return {
      id, accountId: account, contractId: contract.id, timestamp: iso(world.now), tradeDate: dateOf(today(world)), netPos: net, archived: false, prevPos: before,
      bought: contractsIn(bought), boughtValue: pointsOf(contract, bought), sold: contractsIn(sold), soldValue: pointsOf(contract, sold),
      ...(netPrice === null ? {} : { netPrice: priceOf(contract, 1) * netPrice }),
      ...(beforePrice === null ? {} : { prevPrice: priceOf(contract, 1) * beforePrice }),
    }
  })

const pairRows = (world: World, accounts: ReadonlySet<number>): Row[] =>
  positions(world).filter(({ account }) => accounts.has(account)).flatMap(({ id: positionId, contract, pairs }) =>
    pairs.map(({ entry, exit, long, qty }) => {
      const [buy, sell] = long ? [entry, exit] : [exit, entry]
      return { id: entry.id * 2 + exit.id, positionId, buyFillId: buy.id, sellFillId: sell.id, qty, buyPrice: priceOf(contract, buy.ticks), sellPrice: priceOf(contract, sell.ticks), active: true }
    }),
  )

const cashRows = (world: World, accounts: ReadonlySet<number>): Row[] =>
  [...accounts].flatMap((accountId) =>
    (['USD', 'EUR'] as const).flatMap((currency) => {
      if (currency === 'EUR' && !booked(world).some(({ account, contract }) => account === accountId && contract.product.currency === 'EUR')) return []
      const { amount, before, realized } = cashOf(world, accountId, currency)
      return [{ id: accountId * 10 + currencyIds[currency], accountId, timestamp: iso(world.now), tradeDate: dateOf(today(world)), currencyId: currencyIds[currency], amount: dollars(amount), realizedPnL: dollars(realized), weekRealizedPnL: dollars(realized), archived: false, amountSOD: dollars(before) }]
    }),
  )

const library: Readonly<Record<string, readonly Row[]>> = {
  contract: contracts.map(({ id, name, maturityId }) => ({ id, name, contractMaturityId: maturityId })),
  contractMaturity: contracts.map(({ maturityId, product }) => ({ id: maturityId, productId: product.id, expirationMonth: 202_612, expirationDate: '2026-12-18T14:30Z', archived: false, seqNo: 10, isFront: true })),
  product: contracts.map(({ product: { id, name, currency, perPoint, tick } }) => ({ id, name, currencyId: currencyIds[currency], productType: 'Futures', description: `The ${name} future`, exchangeId: 2, contractGroupId: 20, status: 'Verified', months: 'HMUZ', valuePerPoint: perPoint, priceFormatType: 'Decimal', priceFormat: -2, tickSize: Number(tick), isMicro: false })),
  currency: [{ id: 1, name: 'USD', symbol: '$' }, { id: 2, name: 'EUR', symbol: '€' }, { id: 5, name: 'CAD', symbol: 'C$' }],
}

/** By what rows of an entity depend on another: the field that names the master. */
export const masters: Readonly<Record<string, string>> = { account: 'userId', cashBalance: 'accountId', position: 'accountId', order: 'accountId', fill: 'orderId', fillFee: 'id', fillPair: 'positionId', contract: 'contractMaturityId', contractMaturity: 'productId' }

/** All rows of an entity that the login sees now on one host; null for an entity that this broker does not give. */
export const rowsOf = (world: World, host: Host, entity: string): readonly Row[] | null => {
  const accounts = ofHost(world, host)
  const session = booked(world).filter(({ account, day }) => accounts.has(account) && day === today(world))
  switch (entity) {
    case 'user':
      return [{ id: world.userId, name: world.key, timestamp: '2026-01-30T12:00:00Z', email: `${world.key}@example.com`, status: 'Active', professional: false }]
    case 'account':
      return world.accounts.filter(({ id }) => accounts.has(id)).map(({ id, name }) => ({ id, name, userId: world.userId, accountType: 'Customer', restricted: false, closed: false, clearingHouseId: 4, riskCategoryId: 70, autoLiqProfileId: 19, marginAccountType: 'Speculator', legalStatus: 'Individual', archived: false, timestamp: '2026-01-30T12:00:00Z', active: true }))
    case 'cashBalance':
      return cashRows(world, accounts)
    case 'position':
      return positionRows(world, accounts)
    case 'fillPair':
      return pairRows(world, accounts)
    case 'fill':
      return session.filter((fill) => isListed(world, fill)).map((fill) => fillRow(world, fill))
    case 'order':
      return orderRows(session.filter((fill) => hasOrder(world, fill) && !fill.rows.unlisted))
    case 'fillFee':
      return session.filter((fill) => isListed(world, fill)).flatMap((fill) => feeRow(world, fill))
    default:
      return library[entity] ?? null
  }
}

/** The account at this moment, without open P&L. */
export const snapshotOf = (world: World, account: number): object => {
  const { amount, realized } = cashOf(world, account, 'USD')
  return { totalCashValue: dollars(amount), totalPnL: dollars(realized), initialMargin: 0, maintenanceMargin: 0, netLiq: dollars(amount), openPnL: 0, realizedPnL: dollars(realized), weekRealizedPnL: dollars(realized) }
}

