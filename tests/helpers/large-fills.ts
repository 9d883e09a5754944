import type { NewFill } from '#backend/db/rows.ts'
import type { AccountKey } from '#shared/fills/fill.ts'
import { brokerContractSpec, contractSpecOf, type ContractSpec } from '#shared/market/contract-spec.ts'
import type { Amount } from '#shared/money/money.ts'
import type { Ticks } from '#shared/money/price.ts'
import { seeded } from './seeded.ts'

/** The accounts of a large journal, half of them simulated ones. */
export const largeAccounts = Array.from({ length: 6 }, (_, index) => {
  const environment = index % 2 === 0 ? ('demo' as const) : ('live' as const)
  const brokerAccountId = String(810_101 + index)
  return { key: `tradovate:${environment}:${brokerAccountId}` as AccountKey, environment, brokerAccountId, name: `Konto ${String(index + 1)}` }
})

const byBroker = (contract: string, name: string, valuePerPoint: string, tickSize: string, currency: string): ContractSpec => {
  const spec = brokerContractSpec(contract, { name, valuePerPoint, tickSize, currency })
  if (!spec.ok) throw new Error(spec.error)
  return spec.value
}

/** Contracts with the broker’s figures: in two currencies, and with a tick that is worth no whole cents. */
export const largeContracts = [byBroker('MESM6', 'MES', '5', '0.25', 'USD'), byBroker('FDXMM6', 'FDXM', '5', '1', 'EUR'), byBroker('ZFM6', 'ZF', '1000', '0.0078125', 'USD')] as const

/** One that only the table knows, and an unknown one. */
const others = [contractSpecOf('CLM6'), contractSpecOf('ZZZQ9')] as const

const specs = [...largeContracts, ...others]
const years = 3
const start = Date.UTC(2024, 0, 2, 14, 30)
const span = years * 365 * 86_400_000
const sources = [...Array.from({ length: 18 }, () => 'api' as const), 'fills-file' as const, 'orders-file' as const]

/** This many fills over three years, in stretches of one account and contract; most end flat, some cross midnight and some stay open. The same for the same count. */
export const largeFills = (count: number): NewFill[] => {
  const random = seeded(20_261_121)
  const below = (end: number): number => Math.floor(random() * end)
  const positions = new Map<string, number>()
  let stretch = { account: largeAccounts[0]?.key ?? fail(), spec: specs[0] ?? fail(), time: start, left: 0 }
  return Array.from({ length: count }, (_, index) => {
    if (stretch.left === 0) stretch = { account: largeAccounts[below(largeAccounts.length)]?.key ?? fail(), spec: specs[below(specs.length)] ?? fail(), time: start + Math.floor((span * index) / count) + below(86_400_000), left: 4 + below(24) }
    const { account, spec } = stretch
    const time = stretch.time + 1 + below(600_000)
    stretch = { ...stretch, time, left: stretch.left - 1 }
    const place = `${account} ${spec.contract}`
    const net = positions.get(place) ?? 0
    const closes = net !== 0 && (random() < 0.6 || stretch.left === 0)
    const buys = closes ? net < 0 : random() < 0.5
    const qty = closes && stretch.left === 0 && random() < 0.9 ? Math.abs(net) : 1 + below(3)
    const active = random() > 0.005
    if (active) positions.set(place, net + (buys ? qty : -qty))
    return {
      id: String(700_000_000_000 + index),
      account,
      contract: spec.contract,
      time,
      side: buys ? 'buy' : 'sell',
      qty,
      price: (20_000 + below(800)) as Ticks,
      fee: random() < 0.9 ? (((5_200 + below(100)) * qty) as Amount) : null,
      active,
      source: sources[below(sources.length)] ?? 'api',
      orderId: 900_000_000_000 + index,
      contractId: 4_400_000 + specs.indexOf(spec),
      tradeDate: random() < 0.8 ? new Date(time).toISOString().slice(0, 10) : null,
    }
  })
}

const fail = (): never => {
  throw new Error('Drawn from an empty list')
}
