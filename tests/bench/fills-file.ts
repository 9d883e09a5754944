import { closeSync, openSync, writeSync } from 'node:fs'
import { tradingDay } from '#shared/market/trading-day.ts'
import { seeded } from '../helpers/seeded.ts'

const header = '_id,_orderId,_contractId,_timestamp,_tradeDate,_action,_qty,_price,_active,_accountId,Fill ID,Order ID,Timestamp,Date,Account,B/S,Quantity,Price,_priceFormat,_priceFormatType,_tickSize,Contract,Product,Product Description,commission'
const accounts = [
  { id: '700101', name: 'DEMO700101' },
  { id: '700102', name: 'DEMO700102' },
  { id: '700201', name: '700201' },
] as const
const contracts = [
  { id: '4327112', code: 'MESM6', product: 'MES', says: 'Micro E-mini S&P 500', format: '-2,0,0.25', around: 6_750, tick: 0.25, fee: '0.52' },
  { id: '4327110', code: 'MNQM6', product: 'MNQ', says: 'Micro E-mini NASDAQ-100', format: '-2,0,0.25', around: 24_500, tick: 0.25, fee: '0.52' },
  { id: '4327233', code: 'CLM6', product: 'CL', says: '"Crude Oil, light"', format: '-2,0,0.01', around: 62, tick: 0.01, fee: '2.14' },
  { id: '4327301', code: 'GCM6', product: 'GC', says: 'Gold', format: '-1,0,0.1', around: 3_400, tick: 0.1, fee: '2.24' },
] as const
const start = Date.UTC(2024, 0, 2, 14, 30)
const most = 3
const blockLength = 1_048_576

/** Writes a Fills report as the broker exports it, of at least so many bytes: fills of three accounts in four contracts, mostly small positions, each with an id of its own. The same for the same size; how many rows it has. */
export const writeFillsFile = (path: string, bytes: number): number => {
  const file = openSync(path, 'w')
  try {
    const random = seeded(20_260_302)
    const below = (end: number): number => Math.floor(random() * end)
    const nets = new Map<string, number>()
    let [written, rows, time, block] = [0, 0, start, `${header}\n`]
    while (written + block.length < bytes) {
      time += below(40_000)
      const [account, contract] = [accounts[below(accounts.length)] ?? accounts[0], contracts[below(contracts.length)] ?? contracts[0]]
      const place = account.id + contract.code
      const net = nets.get(place) ?? 0
      const buys = Math.abs(net) >= most ? net < 0 : random() < 0.5
      const qty = 1 + below(most)
      nets.set(place, net + (buys ? qty : -qty))
      block += line({ number: rows, time, account, contract, buys, qty, price: contract.around + below(400) * contract.tick })
      rows += 1
      if (block.length < blockLength) continue
      written += writeSync(file, block)
      block = ''
    }
    writeSync(file, block)
    return rows
  } finally {
    closeSync(file)
  }
}

type Line = { readonly number: number; readonly time: number; readonly account: (typeof accounts)[number]; readonly contract: (typeof contracts)[number]; readonly buys: boolean; readonly qty: number; readonly price: number }

const line = ({ number, time, account, contract, buys, qty, price }: Line): string => {
  const iso = new Date(time).toISOString()
  const [date, clock] = [iso.slice(0, 10), iso.slice(11, 19)]
  const american = `${date.slice(5, 7)}/${date.slice(8)}/${date.slice(0, 4)}`
  const [id, order] = [String(303_000_000_000 + number), String(303_500_000_000 + number)]
  const ids = `${id},${order},${contract.id},${date} ${iso.slice(11)},${tradingDay(time)},${buys ? '0' : '1'},${String(qty)},${String(price)},true,${account.id}`
  return `${ids},${id},${order},${american} ${clock},${american},${account.name},${buys ? ' Buy' : ' Sell'},${String(qty)},${price.toFixed(2)},${contract.format},${contract.code},${contract.product},${contract.says},${contract.fee}\n`
}
