import { openDatabase, writerOf, type Writer } from '#backend/db/database.ts'
import { writesOf, type JournalWrites } from '#backend/journal/writes.ts'
import { createPictures } from '#backend/pictures/pictures.ts'
import { parseAmount } from '#shared/money/money.ts'
import { largeAccounts, largeContracts, largeFills } from './large-fills.ts'
import { seeded } from './seeded.ts'

/** Where a large journal is made: the file of a journal that has this profile, and the folder of its pictures. */
export type LargePlace = { readonly file: string; readonly picturesFolder: string; readonly userId: string }

type Making = { readonly userId: string; readonly at: number; readonly writer: Writer; readonly write: JournalWrites; readonly random: () => number }

const at = Date.UTC(2027, 0, 4, 15)
/** How many fills make a trade, by how these are drawn. */
const fillsOfTrade = 1.45
const removed = largeAccounts[5]

/**
 * Makes a journal as its user's calls do: at least `trades` derived trades, of a hundred three or four annotated, one in five
 * hundred removed and one in three hundred entered by hand; besides finances, pictures, labels, balances, and an account that was removed.
 */
export const makeLargeJournal = async ({ file, picturesFolder, userId }: LargePlace, trades: number): Promise<void> => {
  const database = openDatabase(file)
  try {
    const writer = writerOf(database)
    const making: Making = { userId, at, writer, write: writesOf({ writer, barrier: () => undefined }), random: seeded(7) }
    await takeAll(making, trades)
    const names = await keepPictures(making, picturesFolder)
    annotate(making, names)
    enterByHand(making, Math.ceil(trades / 300))
    addFinances(making)
    if (removed !== undefined) making.write.removeAccount({ userId, at, account: removed.key })
  } finally {
    database.close()
  }
}

const takeAll = async ({ userId, write }: Making, trades: number): Promise<void> => {
  write.saveLogin({ userId, at, id: 'login', brokerUserId: '9001', name: 'large.user', hosts: null })
  write.saveAccounts({ userId, at, loginId: 'login', accounts: largeAccounts, reconnect: true })
  write.saveContracts({ userId, at, contracts: largeContracts.map((spec, index) => ({ environment: index === 1 ? ('live' as const) : ('demo' as const), brokerContractId: String(4_400_000 + index), spec })) })
  const { fills } = await write.saveFills({ userId, at, specs: [], fills: largeFills(Math.ceil(trades * fillsOfTrade)) })
  if (fills.added === 0) throw new Error('No fills were taken')
  write.saveBalances({ userId, at, balances: largeAccounts.slice(1).map(({ key }, index) => ({ account: key, amount: exact(`${String(50_000 + index)}.25`), currency: (index === 2 ? 'EUR' : 'USD') as never, time: at - index })) })
}

const exact = (text: string) => {
  const amount = parseAmount(text)
  if (!amount.ok) throw new Error(amount.error)
  return amount.value
}

const keepPictures = async ({ userId, write, random }: Making, folder: string): Promise<string[]> => {
  const pictures = createPictures(folder)
  const names: string[] = []
  for (let index = 0; index < 40; index += 1) {
    const kept = await pictures.keep(userId, Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.from(Array.from({ length: 2_000 + index }, () => Math.floor(random() * 256)))]))
    if (!kept.ok) throw new Error(kept.error)
    write.addPicture({ userId, at, ...kept.value })
    names.push(kept.value.name)
  }
  return names
}

const annotate = ({ userId, writer, write, random }: Making, pictures: readonly string[]): void => {
  const ids = writer.database.prepare("SELECT id FROM fill_pairs WHERE user_id = ? AND origin = 'synced' ORDER BY id").pluck().all(userId) as string[]
  ids.forEach((id, index) => {
    const draw = random()
    if (draw < 0.035) {
      const updates = {
        ...(draw < 0.03 ? { notes: `Zu früh: "${String(index)}"\n\u2028\t…` } : {}),
        ...(draw > 0.01 ? { tags: ['A+', `setup ${String(index % 17)}`] } : {}),
        ...(draw > 0.025 ? { stop: `${String(index % 90)}.25` } : {}),
        ...(draw < 0.004 ? { screenshot: pictures[index % pictures.length] ?? '', screenshotHeadline: 'Entry' } : {}),
      }
      const written = write.updateTrade({ userId, at: at + index, id, updates })
      if (!written.ok) throw new Error(written.error)
    } else if (draw > 0.998) write.removeTrade({ userId, at: at + index, id })
  })
}

const enterByHand = ({ userId, write }: Making, count: number): void => {
  for (let index = 0; index < count; index += 1) {
    const entry = Date.UTC(2025, index % 12, 1 + (index % 28), 15)
    const times = { entryTime: new Date(entry).toISOString(), exitTime: new Date(entry + 600_000).toISOString() }
    const trade = { id: `by-hand-${String(index)}`, symbol: index % 3 === 0 ? 'MESM6' : 'SPY', account: 'Depot', accountId: '', qty: 1 + (index % 4), entryPrice: 6_700, exitPrice: 6_700 + (index % 9), platform: 'other', notes: index % 2 === 0 ? '' : 'from paper', ...times }
    const added = write.addTrade({ userId, at: at + index, trade })
    if (!added.ok) throw new Error(added.error)
    if (index % 10 === 9) write.removeTrade({ userId, at: at + index, id: trade.id })
  }
}

const addFinances = ({ userId, write }: Making): void => {
  for (let index = 0; index < 60; index += 1) {
    const id = `finance-${String(index)}`
    write.addFinance({ userId, at: at + index, finance: { id, type: index % 2 === 0 ? 'earning' : 'expense', amount: 120.5 + index, balance: 0, name: `Rechnung ${String(index)}`, platform: 'other', firm: null, ...(index % 3 === 0 ? { category: index % 2 === 0 ? 'payout' : 'reset', currency: 'EUR', account: 'tradovate:demo:1', note: `„Notiz“ ${String(index)}` } : {}) } })
    if (index % 7 === 0) write.removeFinance({ userId, at: at + index, id })
  }
  largeAccounts.forEach(({ key, name }, index) => {
    write.addFinance({ userId, at: at + index, finance: { id: key, type: index % 2 === 0 ? 'Evaluation Account' : 'Funded Account', amount: 0, balance: 0, name, platform: 'Tradovate', firm: 'Tradeify' } })
  })
}
