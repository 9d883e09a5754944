import { z } from 'zod'
import { momentMs } from '#shared/plans/moment-ms.ts'

/** The answer of a call that returns nothing else. */
export const done = z.object({ success: z.literal(true) })

/** A short text that names something: never empty, never a document. */
export const nameText = z.string().trim().min(1).max(200)

/** Whether every database stores a text unchanged. SQLite and PostgreSQL do not take null characters or unpaired surrogates. */
export const isKeptAsItIs = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

const replacement = '\uFFFD'

/** A text as every database can store it: null characters and unpaired surrogates become `U+FFFD`. */
export const keptText = (text: string): string => text.toWellFormed().replaceAll('\0', replacement)

/** A text that is mirrored between journals, at most `most` characters, as every database can store it. */
export const mirroredText = (most: number) => z.string().max(most).overwrite(keptText)

/** A text that a user enters, at most `most` characters, as every database can store it, with the same line endings on every system. */
export const enteredText = (most: number) => z.string().overwrite((text) => keptText(text).replaceAll(/\r\n?/g, '\n')).max(most)

/** A product as in the contract table: `MES`. */
export const productName = z.string().trim().toUpperCase().min(1).max(20).regex(/^[^/]+$/).refine(isKeptAsItIs)

/** An identifier from another system, stored unchanged. */
export const identifier = z.string().min(1).max(300).refine(isKeptAsItIs)

/** A calendar day, `YYYY-MM-DD`. */
export const calendarDay = z.iso.date()

/** An exact decimal as text, `"-140.00"`. */
export const decimalText = z.string().regex(/^-?\d{1,15}(\.\d{1,10})?$/)

/** An amount of money to which an excursion is compared; never negative. */
export const excursionText = z.string().regex(/^\d{1,9}(\.\d{1,4})?$/)

/** A commission as exact decimal text. Never negative: a negative one would flip the sign of every sum that includes it. */
export const costText = decimalText.refine((text) => !/^-.*[1-9]/.test(text), 'negative, and a commission is a cost: leave the minus out')

/** Numbers in JSON stay below this, positive or negative, so that cents survive. */
export const mostNumber = 1e12

/** A number in JSON: finite and small enough. */
export const jsonNumber = z.number().gt(-mostNumber).lt(mostNumber)

/** A number of contracts. */
export const contractCount = z.number().int().positive().max(1_000_000)

/** The largest absolute amount of a record or an account, so that it and sums of it stay exact. */
export const mostMoney = 100_000_000_000

/** Money in JSON that will be stored. */
export const moneyNumber = z.number().gt(-mostMoney).lt(mostMoney)

/** A tick size: an exact decimal above zero. */
export const tickSizeText = z.string().regex(/^(?!0*(\.0*)?$)\d{1,15}(\.\d{1,10})?$/)

/** A time as UTC ms, more than a week before the year 10000, so that its trading day is before that too. */
export const utcMs = z.number().int().nonnegative().lt(253_401_696_000_000)

/** An ISO 8601 time with `Z` or an offset, from 1970 to a week before the year 10000; stored as `utcMs`. */
export const moment = z.iso.datetime({ offset: true, abort: true }).refine((text) => utcMs.safeParse(Math.floor(momentMs(text))).success)

/** The currency of a fee or an open position: three capital letters, or `#99`, the broker's number of a currency that its list does not name. */
export const brokerCurrency = z.string().regex(/^(?:[A-Z]{3}|#\d{1,16})$/)

/** A currency code of three letters. */
export const currencyCode = z.string().regex(/^[A-Za-z]{3}$/)
