import { z } from 'zod'
import { momentMs } from '#shared/plans/moment-ms.ts'

/** A short text that names something: never empty, never a document. */
export const nameText = z.string().trim().min(1).max(200)

/** Whether every database keeps a text just as it is: none has the null character or half a surrogate pair, which are replaced, in both kinds. */
export const isKeptAsItIs = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

const replacement = '\uFFFD'

/** A text as every database keeps it: what one of them has not becomes `U+FFFD`. */
export const keptText = (text: string): string => text.toWellFormed().replaceAll('\0', replacement)

/** A text that travels between journals, of so many characters at most, as every database keeps it. */
export const travellingText = (most: number) => z.string().max(most).overwrite(keptText)

/** A text that a user enters, of so many characters at most: as every database keeps it, its lines ended alike on every system. */
export const enteredText = (most: number) => z.string().overwrite((text) => keptText(text).replaceAll(/\r\n?/g, '\n')).max(most)

/** A product as the contract table names it, `MES`. */
export const productName = z.string().trim().toUpperCase().min(1).max(20).regex(/^[^/]+$/).refine(isKeptAsItIs)

/** An identifier from another system, stored unchanged. */
export const identifier = z.string().min(1).max(300).refine(isKeptAsItIs)

/** A calendar day, `YYYY-MM-DD`. */
export const calendarDay = z.iso.date()

/** An exact decimal as text, `"-140.00"`. */
export const decimalText = z.string().regex(/^-?\d{1,15}(\.\d{1,10})?$/)

/** A commission as exact decimal text. Never negative: a negative one would flip every sum that it is in. */
export const costText = decimalText.refine((text) => !/^-.*[1-9]/.test(text), 'negative, and a commission is a cost: leave the minus out')

/** Below this numbers at the JSON edge stay, above zero and below, so that cents survive. */
export const mostNumber = 1e12

/** A number at the JSON edge: finite, and small enough. */
export const jsonNumber = z.number().gt(-mostNumber).lt(mostNumber)

/** A number of contracts. */
export const contractCount = z.number().int().positive().max(1_000_000)

/** The largest absolute amount of a record or an account: it and its sums stay exact. */
export const mostMoney = 100_000_000_000

/** Money at the JSON edge that is to be kept. */
export const moneyNumber = z.number().gt(-mostMoney).lt(mostMoney)

/** The size of a tick: an exact decimal above zero. */
export const tickSizeText = z.string().regex(/^(?!0*(\.0*)?$)\d{1,15}(\.\d{1,10})?$/)

/** A moment as UTC ms, a week and more before the year 10000, so that its trading day lies before that too: no clock of ours counts further. */
export const utcMs = z.number().int().nonnegative().lt(253_401_696_000_000)

/** An ISO 8601 time with `Z` or an offset, from 1970 to a week before the year 10000; stored as `utcMs`. */
export const moment = z.iso.datetime({ offset: true, abort: true }).refine((text) => utcMs.safeParse(Math.floor(momentMs(text))).success)

/** The currency of a fee: three capital letters, or the broker's number of one that its list does not name, `#99`. */
export const feeCurrency = z.string().regex(/^(?:[A-Z]{3}|#\d{1,16})$/)

/** A currency as three letters. */
export const currencyCode = z.string().regex(/^[A-Za-z]{3}$/)
