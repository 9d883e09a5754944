import { z } from 'zod'
import { drawings } from '../api/drawings.ts'
import { centRoundings } from '../money/cents.ts'
import { brokerCurrency, calendarDay, contractCount, currencyCode as currency, decimalText, enteredText, identifier, isKeptAsItIs, keptText, mostMoney, mostNumber, nameText, productName, tickSizeText, mirroredText as text, utcMs as time } from '../api/fields.ts'
import { feeSource, finance as apiFinance, firm, tradeWarning } from '../api/records.ts'
import { accountRules, ruleSet, stage } from '../api/rules.ts'
import { notePlace } from '../notes/place.ts'
import { stampText } from './stamp.ts'

/*
 * The records that a journal and its mirror exchange: exact rows. Money is whole 1/10,000 of the row's currency, prices
 * are whole ticks of the row's `tickSize`, times are UTC ms. No floats on the way.
 */

const whole = z.number().int()
// Far above any tick value (1/10,000 of a currency) and any fill quantity, and low enough for exact computations with them.
const mostWorth = 10_000_000_000
const within = (most: number) => whole.min(-most).max(most)
/** A price in ticks, which may be as small as 0.00000001. */
export const ticks = within(1_000_000_000_000_000)
/** Money of a row or a fill's fees, in 1/10,000 of a currency. */
export const money = within(mostMoney * 10_000)
export const fee = within(1_000_000_000_000)
const environment = z.enum(['live', 'demo'])

// Records of earlier programs may have the warning of positions across midnight.
const mirroredWarning = z.enum([...tradeWarning.options, 'crosses-midnight'])

/** The profile's time zone of local dates. The first that reaches the cloud applies on every computer. */
export const profileContent = z.object({ timeZone: nameText })

/** A connected account with the user's settings. Tokens and logins stay on their computer. */
export const accountContent = z.object({
  environment,
  brokerAccountId: identifier,
  name: text(200),
  /** The name of the login that connected it, so that the user knows which to connect again. */
  loginName: text(200),
  connectedAt: time,
  /** When the user removed it: no view shows it, its finance or its trades until it is connected again. */
  removedAt: time.nullable(),
  /** The id of the leader that it copies; older records have none. */
  copyOf: identifier.nullable().default(null),
  stamp: stampText,
})

/** The broker's balance of an account; the newest `balanceAt` wins. */
export const balanceContent = z.object({ balance: money.nullable(), currency, balanceAt: time.nullable() })

/** An earning, an expense, or the label of an account (its name and balance are then the account's). Fields that older programs do not send stay unchanged. */
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

/** A contract's figures that differ from the table's; a more trusted source wins. */
export const specContent = z.object({
  root: z.string().max(60).nullable(),
  rootIsWhole: z.boolean(),
  currency,
  tickSize: tickSizeText,
  tickValue: z.object({ num: whole.positive().max(mostWorth), den: whole.positive().max(mostWorth) }),
  feePerSide: fee,
  source: z.enum(['broker', 'file', 'table', 'unknown']),
  /** Older records have none. */
  rounding: z.enum(centRoundings).nullable().default(null),
})

/** The user's point value of a product that the contract table does not have; the record's id is the product; null after a reset. */
export const pointContent = z.object({ amount: decimalText.nullable(), currency, stamp: stampText })

/** The broker's number of a contract. */
export const contractContent = z.object({ contract: nameText })

/** The user's commission rate of a contract per side, for a firm or an account; null after a reset. Its id is `commissionName`. */
export const commissionContent = z.object({
  scope: z.enum(['firm', 'account']),
  of: identifier,
  product: productName,
  perSide: fee.nonnegative().nullable(),
  currency,
  stamp: stampText,
})

/** The record id of a rate. */
export const commissionName = ({ scope, of, product }: Pick<z.infer<typeof commissionContent>, 'scope' | 'of' | 'product'>): string => `${scope}/${product}/${of}`

/** Fees in currencies other than the contract's; null if there are none, as in older records. */
const otherFees = z.array(z.object({ currency: brokerCurrency, amount: fee })).nullable().default(null)

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

/** Whether a fill (the record's id) was removed, for example because its import was undone, or was restored. Sent after a fill that is removed, and before one that is restored. */
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

/** A derived fill pair: every computer derives it again from the fills. */
export const pairContent = tradeFacts.extend({ otherFees })

/** A trade that the user entered; its net is what remains of the gross. Its edit says whether it was removed. */
export const tradeContent = tradeFacts.extend({ account: enteredText(200).nullable(), accountId: enteredText(300), platform: enteredText(60), stamp: stampText }).refine(({ gross, commission, net, tickSize, entryPrice, exitPrice }) => net === gross - commission && [entryPrice, exitPrice].every((price) => Math.abs(price) * Number(tickSize) < mostNumber))

const field = <T extends z.core.$ZodType>(value: T) => z.object({ value, stamp: stampText }).optional()

const notes = field(enteredText(20_000))
const tags = field(z.array(nameText.max(60).overwrite(keptText)).max(50))

/** The user's annotations of a fill pair, or of a trade entered by hand: each field has its own stamp. */
export const editContent = z.object({
  notes,
  tags,
  stop: field(decimalText.nullable()),
  screenshot: field(enteredText(500)),
  screenshotHeadline: field(enteredText(300)),
  screenshot2: field(enteredText(500)),
  screenshot2Headline: field(enteredText(300)),
  /** Older programs know none: their records lack it, and its computer sends it again. */
  drawings: field(drawings),
  removedAt: field(time.nullable()),
  /** The pair's place when it was last annotated; older records, and those of entered trades, have none. */
  place: field(notePlace),
})

/** The user's annotations of a trading day, which is the record's id: each field has its own stamp. */
export const dayContent = z.object({ notes, tags })

/** The default stop distance of a product (the record's id) for trades without a stop; null after a reset. */
export const stopContent = z.object({ distance: decimalText.nullable(), unit: z.enum(['ticks', 'points']), stamp: stampText })

/** The user's rule set for an account (the record's id); `set` is null without one or after a reset. `stageByHand` is null if the stage follows from label and trades. */
export const rulesContent = z.object({ set: ruleSet.nullable(), presetId: accountRules.shape.presetId, since: calendarDay.nullable(), stageByHand: stage.nullable(), stamp: stampText })

/** A picture's file is sent separately; its name is the SHA-256 of its bytes. */
export const pictureContent = z.object({ type: z.enum(['image/png', 'image/jpeg', 'image/webp', 'image/gif']), bytes: whole.positive() })

// Together with its user it stays below the 2,704 bytes that PostgreSQL allows in an index row.
const named = z.string().min(1).max(620).refine(isKeptAsItIs)
const record = <const E extends string, T extends z.core.$ZodType>(entity: E, content: T, id = named) => z.object({ entity: z.literal(entity), id, content })
// The calls for this kind of record must accept its id, or the user could never change it again.
const called = named.max(300)
const ofProduct = named.refine((id) => productName.safeParse(id).data === id)
const ofDay = named.refine((id) => calendarDay.safeParse(id).success)

/** A record with its content; only a fill, when its import is undone, and a pair can have `content: null`, which means removed. */
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
 * The order in which a journal is downloaded: removals, which older programs do not request; what fills depend on; what
 * depends on fills; and last the derived pairs, for comparison with those derived again. Within a part, by last change.
 */
export const mirrorParts = {
  removals: ['removal'],
  ground: ['profile', 'account', 'balance', 'spec', 'contract', 'commission', 'point'],
  rest: ['finance', 'picture', 'fill', 'trade', 'edit', 'day', 'stop', 'rules'],
  pairs: ['pair'],
} as const satisfies Record<string, readonly MirrorEntity[]>
export type MirrorPart = keyof typeof mirrorParts
