import { z } from 'zod'
import { centRoundings } from '../money/cents.ts'
import { calendarDay, contractCount, currencyCode as currency, decimalText, enteredText, feeCurrency, identifier, isKeptAsItIs, keptText, mostMoney, mostNumber, nameText, productName, tickSizeText, travellingText as text, utcMs as time } from '../api/fields.ts'
import { feeSource, finance as apiFinance, firm, tradeWarning } from '../api/records.ts'
import { accountRules, ruleSet, stage } from '../api/rules.ts'
import { notePlace } from '../notes/place.ts'
import { stampText } from './stamp.ts'

/*
 * What travels between a journal and its mirror: rows as they are, exact. Money is whole 1/10,000 of the row's currency,
 * prices are whole ticks of the row's `tickSize`, times are UTC ms. Nobody computes with a float on the way.
 */

const whole = z.number().int()
// Far above what any tick is worth (1/10,000 of a currency) and any fill holds, and low enough for what is computed with them to stay exact.
const mostWorth = 10_000_000_000
const within = (most: number) => whole.min(-most).max(most)
/** A price in ticks, which may be as small as 0.00000001. */
export const ticks = within(1_000_000_000_000_000)
/** Money of a row, and what a fill costs, in 1/10,000 of a currency. */
export const money = within(mostMoney * 10_000)
export const fee = within(1_000_000_000_000)
const environment = z.enum(['live', 'demo'])

// Records of earlier programs may hold the warning of positions that crossed midnight.
const mirroredWarning = z.enum([...tradeWarning.options, 'crosses-midnight'])

/** The profile's zone of local dates. The first that reaches the cloud holds on every computer. */
export const profileContent = z.object({ timeZone: nameText })

/** A connected account, as its user left it. Tokens and logins stay on the computer that has them. */
export const accountContent = z.object({
  environment,
  brokerAccountId: identifier,
  name: text(200),
  /** Whose login it was connected by, for the user to know which to connect again. */
  loginName: text(200),
  connectedAt: time,
  /** When the user removed it: with its finance and trades it is out of every view until it is connected again. */
  removedAt: time.nullable(),
  /** The id of the leader whose trades are copied here; records of older programs have none. */
  copyOf: identifier.nullable().default(null),
  stamp: stampText,
})

/** What the broker tells of an account; the newest `balanceAt` holds. */
export const balanceContent = z.object({ balance: money.nullable(), currency, balanceAt: time.nullable() })

/** An earning, an expense, or the label of an account (its name and balance are then the account's). What older programs do not tell of it stays as it is known. */
export const financeContent = z.object({
  type: apiFinance.shape.type,
  amount: money,
  date: calendarDay,
  name: enteredText(200),
  balance: money,
  currency,
  platform: enteredText(60),
  firm: firm.nullable(),
  category: apiFinance.shape.category.optional(),
  account: apiFinance.shape.account.optional(),
  note: enteredText(2_000).optional(),
  removedAt: time.nullable(),
  stamp: stampText,
})

/** Figures of a contract that are not those of the table; a more trusted source holds. */
export const specContent = z.object({
  root: z.string().max(60).nullable(),
  rootIsWhole: z.boolean(),
  currency,
  tickSize: tickSizeText,
  tickValue: z.object({ num: whole.positive().max(mostWorth), den: whole.positive().max(mostWorth) }),
  feePerSide: fee,
  source: z.enum(['broker', 'file', 'table', 'unknown']),
  /** Records of older programs have none. */
  rounding: z.enum(centRoundings).nullable().default(null),
})

/** What a point of a product, the record's id, is worth by the user's own word, of one that the contract table does not have; null where that was taken back. */
export const pointContent = z.object({ amount: decimalText.nullable(), currency, stamp: stampText })

/** How the broker numbers a contract. */
export const contractContent = z.object({ contract: nameText })

/** What a contract costs per side by the user's own word, of a firm or of an account; null where that was taken back. Its id is `commissionName`. */
export const commissionContent = z.object({
  scope: z.enum(['firm', 'account']),
  of: identifier,
  product: productName,
  perSide: fee.nonnegative().nullable(),
  currency,
  stamp: stampText,
})

/** How a rate is named among records. */
export const commissionName = ({ scope, of, product }: Pick<z.infer<typeof commissionContent>, 'scope' | 'of' | 'product'>): string => `${scope}/${product}/${of}`

/** Fees in other currencies than the contract's; null where there are none, as in records of older programs. */
const otherFees = z.array(z.object({ currency: feeCurrency, amount: fee })).nullable().default(null)

/** One execution, merged by source and not by time. */
export const fillContent = z.object({
  account: identifier,
  contract: nameText,
  time,
  side: z.enum(['buy', 'sell']),
  qty: contractCount,
  price: ticks,
  tickSize: tickSizeText,
  fee: fee.nullable(),
  active: z.boolean(),
  source: z.enum(['api', 'fills-file', 'orders-file', 'pairs-file', 'handed-in']),
  orderId: z.string().max(300).nullable(),
  contractId: z.string().max(300).nullable(),
  tradeDate: calendarDay.nullable(),
  otherFees,
})

/** Whether a fill, the record's id, was removed, as when its import was undone, or was restored since. Sent after a fill that was removed, and before one that was restored. */
export const removalContent = z.object({ removed: z.boolean(), stamp: stampText })

const tradeFacts = z.object({
  accountId: text(300),
  symbol: nameText,
  date: calendarDay,
  tradingDay: calendarDay,
  side: z.enum(['long', 'short']),
  qty: contractCount,
  tickSize: tickSizeText,
  entryPrice: ticks,
  exitPrice: ticks,
  entryTime: time,
  exitTime: time,
  gross: money,
  commission: money,
  net: money,
  currency,
  platform: text(60),
  tripId: identifier.nullable(),
  multiplierSource: z.enum(['broker', 'file', 'user', 'table', 'unknown', 'entered']),
  feeSource,
  warnings: z.array(mirroredWarning),
})

/** A derived round trip: it follows from fills and is made again from them on every computer. */
export const pairContent = tradeFacts.extend({ otherFees })

/** A trade that the user entered, its net what remains of the gross. Its removal is in its edit. */
export const tradeContent = tradeFacts.extend({ account: enteredText(200).nullable(), accountId: enteredText(300), platform: enteredText(60), stamp: stampText }).refine(({ gross, commission, net, tickSize, entryPrice, exitPrice }) => net === gross - commission && [entryPrice, exitPrice].every((price) => Math.abs(price) * Number(tickSize) < mostNumber))

const field = <T extends z.ZodType>(value: T) => z.object({ value, stamp: stampText }).optional()

const notes = field(enteredText(20_000))
const tags = field(z.array(nameText.max(60).overwrite(keptText)).max(50))

/** What the user says of a trade, derived or entered: each field by itself, with its own stamp. */
export const editContent = z.object({
  notes,
  tags,
  stop: field(decimalText.nullable()),
  screenshot: field(enteredText(500)),
  screenshotHeadline: field(enteredText(300)),
  screenshot2: field(enteredText(500)),
  screenshot2Headline: field(enteredText(300)),
  removedAt: field(time.nullable()),
  /** Where the trade stood when it was last written on; records of older programs, and of entered trades, have none. */
  place: field(notePlace),
})

/** What the user says of a trading day, which is the record's id: each field by itself, with its own stamp. */
export const dayContent = z.object({ notes, tags })

/** How far the stop lies of trades of a product, the record's id, that have none of their own; null where that was taken back. */
export const stopContent = z.object({ distance: decimalText.nullable(), unit: z.enum(['ticks', 'points']), stamp: stampText })

/** What the firm asks of an account, the record's id, by its user's word: no set where none is, or it was taken back. `stageByHand` is null where the stage follows from label and trades. */
export const rulesContent = z.object({ set: ruleSet.nullable(), presetId: accountRules.shape.presetId, since: calendarDay.nullable(), stageByHand: stage.nullable(), stamp: stampText })

/** A picture's file travels by itself; its name is the SHA-256 of its bytes. */
export const pictureContent = z.object({ type: z.enum(['image/png', 'image/jpeg', 'image/webp', 'image/gif']), bytes: whole.positive() })

// With its user it stays below the 2,704 bytes that PostgreSQL takes for a row of an index.
const named = z.string().min(1).max(620).refine(isKeptAsItIs)
const record = <const E extends string, T extends z.ZodType>(entity: E, content: T, id = named) => z.object({ entity: z.literal(entity), id, content })
// An id that the calls of this kind of record cannot say would be one that its user cannot change any more.
const called = named.max(300)
const ofProduct = named.refine((id) => productName.safeParse(id).data === id)
const ofDay = named.refine((id) => calendarDay.safeParse(id).success)

/** A record with its content; only a fill, when its import is undone, and a pair can also be gone, `content: null`. */
export const mirrorRecord = z.discriminatedUnion('entity', [
  record('profile', profileContent),
  record('account', accountContent, called),
  record('balance', balanceContent),
  record('spec', specContent),
  record('contract', contractContent),
  record('commission', commissionContent),
  record('point', pointContent, ofProduct),
  record('finance', financeContent, called),
  record('picture', pictureContent),
  record('removal', removalContent),
  record('fill', fillContent.nullable()),
  record('trade', tradeContent, called),
  record('edit', editContent),
  record('day', dayContent, ofDay),
  record('stop', stopContent, ofProduct),
  record('rules', rulesContent, called),
  record('pair', pairContent.nullable()),
])
export type MirrorRecord = z.infer<typeof mirrorRecord>
export type MirrorEntity = MirrorRecord['entity']
/** The content of one kind of record. */
export type ContentOf<E extends MirrorEntity> = Extract<MirrorRecord, { entity: E }>['content']

/**
 * In what order a journal is brought back: what was removed, which older programs do not ask for, the ground that fills stand on, then what stands on it, and the derived
 * pairs at last, to be compared with those that were made again. The order within a part is that of the last change.
 */
export const mirrorParts = {
  removals: ['removal'],
  ground: ['profile', 'account', 'balance', 'spec', 'contract', 'commission', 'point'],
  rest: ['finance', 'picture', 'fill', 'trade', 'edit', 'day', 'stop', 'rules'],
  pairs: ['pair'],
} as const satisfies Record<string, readonly MirrorEntity[]>
export type MirrorPart = keyof typeof mirrorParts
