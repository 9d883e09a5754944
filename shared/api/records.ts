import { isConnectedPlatform } from '#shared/fills/platform.ts'
import { z } from 'zod'
import { contractSymbolOf } from '#shared/fills/contract-symbol.ts'
import { firms } from '#shared/sync/firms.ts'
import { drawings } from './drawings.ts'
import { brokerCurrency, calendarDay, contractCount, costText, currencyCode, decimalText, enteredText, identifier, isKeptAsItIs, jsonNumber, keptText, moment, moneyNumber, nameText } from './fields.ts'

/** Why a trade's figure needs checking. */
export const tradeWarning = z.enum(['unknown-contract', 'partial-root', 'unknown-commission', 'incomplete', 'approximate', 'ambiguous-order'])
export type TradeWarning = z.infer<typeof tradeWarning>

/** Missing contracts of an `incomplete` trade; 0 if their number is unknown. */
const missingContracts = z.number().int().nonnegative().optional()

const picture = enteredText(500)
const headline = enteredText(300)
/** The most tags on a fill pair. */
export const mostTags = 50

export const tag = nameText.max(60).overwrite(keptText)
/** A name by which figures are looked up. */
const symbolName = nameText.refine(isKeptAsItIs)

/** The fields that the user may change on any fill pair, a broker's and one entered by hand. */
export const tradeUserFields = z.object({
  screenshot: picture,
  screenshotHeadline: headline,
  screenshot2: picture,
  screenshot2Headline: headline,
  notes: enteredText(20_000),
  tags: z.array(tag).max(mostTags),
  stop: decimalText.nullable(),
  /** What was drawn in its chart; missing where nothing was. */
  drawings: drawings.optional(),
})

/** The source of a trade's commission: the broker, an import, the user's rate, Fillbook's table, several of them, or the user on the trade. */
export const feeSource = z.enum(['broker', 'file', 'setting', 'table', 'mixed', 'entered'])

/** Fees in currencies other than the trade's, beside `commission`; no sum includes them. Missing if there are none. */
export const otherFees = z.array(z.object({ currency: brokerCurrency, amount: decimalText })).optional()

/** True if this computer's trade copier placed the opening order; missing otherwise. */
const copiedMark = z.boolean().optional()
/** R-multiple: net P&L over the risk at the stop; null without a stop. Only logbook lists include it. */
const r = z.number().nullable().optional()

const figureBounds = z.object({ least: decimalText.nullable(), most: decimalText.nullable() })
/** Excursions by the stored prices, efficiencies as shares, each from `least` to `most`; null is unknown. Only lists include them, and only of trades with prices. */
const listedExcursions = z.object({ mfe: figureBounds, mae: figureBounds, entryEfficiency: figureBounds, exitEfficiency: figureBounds })
export type ListedExcursions = z.infer<typeof listedExcursions>
const excursions = listedExcursions.optional()

/** A journal record: one FIFO fill pair, or a trade entered by hand. Prices and `pnl` are numbers only here, at the JSON boundary. */
export const fillPairRecord = tradeUserFields.extend({
  id: identifier,
  userId: identifier,
  symbol: nameText,
  /** The account's name; its id if the name is unknown. */
  account: z.string().max(300),
  accountId: z.string().max(300),
  side: z.enum(['long', 'short']),
  qty: z.number().int().positive(),
  entryPrice: jsonNumber,
  exitPrice: jsonNumber,
  entryTime: moment,
  exitTime: moment,
  /** The exit's local date. */
  date: calendarDay,
  /** The trading day of the exit. */
  tradingDay: calendarDay,
  /** Net, in `currency`. */
  pnl: jsonNumber,
  grossPnl: decimalText,
  commission: decimalText,
  netPnl: decimalText,
  currency: z.string().length(3),
  platform: z.string().max(60),
  /** The trade of this pair; null if entered by hand. */
  tradeId: identifier.nullable(),
  origin: z.enum(['synced', 'manual']),
  multiplierSource: z.enum(['broker', 'file', 'user', 'table', 'unknown', 'entered']),
  feeSource,
  /** The files or reports that its fees come from, if its fills have another source. */
  feeFrom: z.array(z.string()).optional(),
  otherFees,
  warnings: z.array(tradeWarning),
  missing: missingContracts,
  copied: copiedMark,
  r,
  excursions,
})
export type FillPairRecord = z.infer<typeof fillPairRecord>

/** A trade from flat to flat: all its fill pairs. */
export const tradeRecord = z.object({
  id: identifier,
  symbol: nameText,
  account: z.string(),
  accountId: z.string(),
  side: z.enum(['long', 'short']),
  /** Contracts closed. */
  qty: z.number().int().positive(),
  pairs: z.number().int().positive(),
  /** Quantity-weighted averages, for display. */
  entryPrice: jsonNumber,
  exitPrice: jsonNumber,
  entryTime: moment,
  exitTime: moment,
  date: calendarDay,
  tradingDay: calendarDay,
  grossPnl: decimalText,
  commission: decimalText,
  netPnl: decimalText,
  currency: z.string().length(3),
  multiplierSource: z.enum(['broker', 'file', 'user', 'table', 'unknown', 'entered']),
  feeSource,
  otherFees,
  warnings: z.array(tradeWarning),
  missing: missingContracts,
  copied: copiedMark,
})
export type TradeRecord = z.infer<typeof tradeRecord>

/** A trade as the logbook lists it: whether it was entered by hand, the distinct tags of its fill pairs, the beginning of their notes, their number of pictures, its R-multiple, and its excursions. */
export const listedTrade = tradeRecord.extend({ origin: z.enum(['synced', 'manual']), tags: z.array(tag), notes: z.string(), pictures: z.number().int(), r, excursions })
export type ListedTrade = z.infer<typeof listedTrade>

/** A trade as the user enters it; missing values are computed. */
export const newTrade = tradeUserFields.partial().extend({
  id: identifier,
  userId: identifier.optional(),
  symbol: symbolName,
  account: enteredText(200).default(''),
  accountId: enteredText(300).default(''),
  /** If missing, derived from the prices and the sign of `pnl`. */
  side: z.enum(['long', 'short']).optional(),
  qty: contractCount,
  entryPrice: jsonNumber,
  exitPrice: jsonNumber,
  entryTime: moment,
  exitTime: moment,
  date: calendarDay.optional(),
  /** Net. If missing: computed from prices, the contract table and `commission`. */
  pnl: jsonNumber.optional(),
  /** Of the whole trade. If missing: by the user's own rate, otherwise the table's. */
  commission: costText.optional(),
  platform: enteredText(60).default(''),
})
export type NewTrade = z.infer<typeof newTrade>

/** The fields of an edit. Of a synced fill pair only the user's own fields are accepted. */
export const tradeUpdates = tradeUserFields
  .extend({
    symbol: symbolName,
    account: enteredText(200),
    accountId: enteredText(300),
    side: z.enum(['long', 'short']),
    qty: contractCount,
    entryPrice: jsonNumber,
    exitPrice: jsonNumber,
    entryTime: moment,
    exitTime: moment,
    pnl: jsonNumber,
    /** Null resets to the rate. */
    commission: costText.nullable(),
    platform: enteredText(60),
    // Part of a record, but not of an edit: the date follows from the exit, the other two never change.
    date: calendarDay,
    id: identifier,
    userId: identifier,
  })
  .partial()
  .strict()
  .transform((sent): Omit<typeof sent, 'date' | 'id' | 'userId'> => {
    const edit = { ...sent }
    delete edit.date
    delete edit.id
    delete edit.userId
    return edit
  })
export type TradeUpdates = z.infer<typeof tradeUpdates>

/** Kinds of finance; a connected account starts as `Account` and becomes one of the two account types that follow. */
export const financeType = z.enum(['earning', 'expense', 'Account', 'Evaluation Account', 'Funded Account'])

/** What an earning or an expense was for. */
export const financeCategory = z.enum(['evaluation', 'reset', 'activation', 'subscription', 'data', 'payout', 'refund', 'other'])
export type FinanceCategory = z.infer<typeof financeCategory>

const spentOn: readonly FinanceCategory[] = ['evaluation', 'reset', 'activation', 'subscription', 'data', 'other']
const earnedBy: readonly FinanceCategory[] = ['payout', 'refund', 'other']

/** The categories of a finance type; accounts only have `other`. */
export const categoriesOf = (type: z.infer<typeof financeType>): readonly FinanceCategory[] => (type === 'expense' ? spentOn : type === 'earning' ? earnedBy : ['other'])

/** A category valid for its type: `other` if they do not match. */
export const fittingCategory = (type: z.infer<typeof financeType>, category: FinanceCategory): FinanceCategory => (categoriesOf(type).includes(category) ? category : 'other')

/** The firm of an account. */
export const firm = z.enum([...(Object.keys(firms) as (keyof typeof firms)[]), 'Other'])

/** An earning, an expense, or a connected account. `amount` and `balance` are numbers only here, in JSON. */
export const finance = z.object({
  id: identifier,
  userId: identifier,
  type: financeType,
  amount: jsonNumber,
  date: calendarDay,
  name: z.string().max(200),
  balance: jsonNumber,
  currency: z.string().length(3),
  platform: z.string().max(60),
  firm: firm.nullable(),
  category: financeCategory,
  /** The id of its connected account, which may no longer exist. */
  account: identifier.nullable(),
  note: z.string().max(2_000),
})
export type Finance = z.infer<typeof finance>

/** Fields that the spec's callers do not know; missing ones stay unchanged. */
const laterFields = z.object({
  currency: currencyCode.toUpperCase().optional(),
  category: financeCategory.optional(),
  account: z.union([identifier, z.literal('').transform(() => null)]).nullable().optional(),
  note: enteredText(2_000).optional(),
})

const numericBalance = (value: unknown): number => {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : 0
}

/** A finance as a caller sends it: updates an existing id, and missing fields stay unchanged. A balance that is not a number counts as 0; earnings and expenses are never negative. */
export const newFinance = laterFields
  .extend({
    id: identifier.optional(),
    userId: identifier.optional(),
    type: financeType,
    amount: moneyNumber.optional(),
    date: calendarDay.optional(),
    name: enteredText(200).optional(),
    balance: z.unknown().optional().transform((value) => (value === undefined ? undefined : numericBalance(value))).pipe(moneyNumber.optional()),
    platform: enteredText(60).optional(),
    firm: z.union([firm, z.literal('')]).nullish().transform((value) => (value === undefined ? undefined : value || null)),
  })
  .refine(({ type, amount = 0 }) => amount >= 0 || (type !== 'earning' && type !== 'expense'), { path: ['amount'], error: 'below zero' })
  .refine(({ type, category }) => category === undefined || categoriesOf(type).includes(category), { path: ['category'], error: 'not of this type' })
export type NewFinance = z.infer<typeof newFinance>

/** Whether a connected account still has no type and firm. */
export const isUnlabeled = ({ platform, type }: Pick<Finance, 'platform' | 'type'>): boolean => isConnectedPlatform(platform) && type === 'Account'

/** Whether an account is the trader's own: no evaluation and no firm. */
export const isOwnAccount = ({ type, firm }: Pick<Finance, 'type' | 'firm'>): boolean => type === 'Funded Account' && firm === null

/** The kind of a connected account: a firm's evaluation, a firm's funded account, or the trader's own. */
export type LabelKind = 'Evaluation Account' | 'Funded Account' | 'own'

/** The kind that an account was given; null while it has none. */
export const labelKindOf = ({ type, firm }: Pick<Finance, 'type' | 'firm'>): LabelKind | null =>
  isOwnAccount({ type, firm }) ? 'own' : type === 'Evaluation Account' || type === 'Funded Account' ? type : null

/** The record that a call without an id refers to: an account type goes to the first connected account in the list without one. Null for a new record. */
export const meantByLabel = (finances: readonly Finance[], { type }: Pick<NewFinance, 'type'>): string | null =>
  type === 'Evaluation Account' || type === 'Funded Account' ? (finances.find(isUnlabeled)?.id ?? null) : null

/** One execution as the spec's calls carry it. */
export const accountFill = z.object({
  id: identifier,
  accountId: identifier,
  contractId: z.union([z.string().max(300).refine(isKeptAsItIs), z.number()]).transform(String),
  contractSymbol: z.string().nullable(),
  action: z.enum(['buy', 'sell']),
  qty: z.number().int().positive(),
  price: jsonNumber,
  /** ISO 8601. */
  timestamp: moment,
  platform: z.string().max(60),
  contract: z.unknown().optional(),
})
export type AccountFill = z.infer<typeof accountFill>

const nameOfContract = z.string().max(200).refine(isKeptAsItIs).nullish().catch(null)
const namedContract = z.object({ symbol: nameOfContract, underlyingSymbol: nameOfContract, productSymbol: nameOfContract, displayName: nameOfContract }).catch({})

/** A fill as a caller sends it; without a symbol, the contract's is used. */
export const newFill = accountFill
  .extend({ contractSymbol: z.string().max(200).refine(isKeptAsItIs).nullish(), action: z.string().toLowerCase().pipe(accountFill.shape.action) })
  .transform((fill) => ({ ...fill, contractSymbol: fill.contractSymbol || contractSymbolOf(namedContract.parse(fill.contract)) }))

/** A brokerage account as the broker reports it. */
export const brokerageAccount = z.object({
  id: identifier,
  name: z.string(),
  balance: jsonNumber,
  currency: z.string().length(3),
  fills: z.array(accountFill),
})
export type BrokerageAccount = z.infer<typeof brokerageAccount>

/** An account whose access ended, as the expiry dialog lists it. */
export const expiredAccount = z.object({
  accountId: identifier,
  accountName: z.string().nullable(),
  lastError: z.string().nullable(),
  /** Id of the account's stored token. */
  tokenDocId: identifier,
})
export type ExpiredAccount = z.infer<typeof expiredAccount>
