const trueMinus = (text: string): string => text.replaceAll('-', '−')

const dayMs = 86_400_000
const timeUnits = [['day', dayMs], ['hour', 3_600_000], ['minute', 60_000], ['second', 1_000]] as const
// Any Monday works.
const monday = '2024-01-01'

/** An exact decimal from the API, or a number. */
export type Decimal = string | number

const asNumeric = (value: Decimal): Intl.StringNumericLiteral => value as Intl.StringNumericLiteral

// Creating a format is slow, and live screens format hundreds of amounts a second.
const byCurrency = (make: (currency: string) => Intl.NumberFormat) => {
  const made = new Map<string, Intl.NumberFormat>()
  return (currency: string): Intl.NumberFormat => {
    const known = made.get(currency) ?? make(currency)
    made.set(currency, known)
    return known
  }
}

/** All formatting of values for one language and one time zone; figures use the true minus sign. `nameOfNumber` names a currency of which only the broker's number is known. */
export const createFormat = (tag: string, timeZone: string, nameOfNumber: (number: string) => string = (number) => `#${number}`) => {
  const decimals = (least: number, most: number, signed: boolean): Intl.NumberFormat =>
    new Intl.NumberFormat(tag, { minimumFractionDigits: least, maximumFractionDigits: most, signDisplay: signed ? 'exceptZero' : 'negative' })
  const [cents, signedCents] = [decimals(2, 2, false), decimals(2, 2, true)]
  const [exactMoney, signedExactMoney] = [decimals(2, 4, false), decimals(2, 4, true)]
  const whole = decimals(0, 0, false)
  const signedWhole = decimals(0, 0, true)
  const signedRatio = decimals(2, 2, true)
  const signedTenths = decimals(1, 1, true)
  const prices = decimals(2, 8, false)
  // By the digits before the point: seven in all, and at least two after it.
  const averages = [8, 6, 5, 4, 3, 2].map((most) => decimals(2, most, false))
  const averagesOf = (value: number): Intl.NumberFormat => averages[Math.abs(value) < 1 ? 0 : Math.min(Math.trunc(Math.abs(value)).toString().length, 5)] ?? prices
  const ratio = decimals(2, 2, false)
  const share = new Intl.NumberFormat(tag, { style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1, signDisplay: 'negative' })
  const signedShare = new Intl.NumberFormat(tag, { style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1, signDisplay: 'exceptZero' })
  const wholeShare = new Intl.NumberFormat(tag, { style: 'percent', signDisplay: 'negative' })
  const exactShare = new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: 2, signDisplay: 'negative' })
  const quantities = decimals(0, 2, false)
  const wholeMoney = byCurrency((currency) => new Intl.NumberFormat(tag, { style: 'currency', currency, maximumFractionDigits: 0, signDisplay: 'negative', currencyDisplay: 'narrowSymbol' }))
  const fullMoney = byCurrency((currency) => new Intl.NumberFormat(tag, { style: 'currency', currency, minimumFractionDigits: 2, maximumFractionDigits: 4, signDisplay: 'negative', currencyDisplay: 'narrowSymbol' }))
  // In some languages Intl groups digits of currencies differently than those of numbers: `$147,031` beside `1,47,031`.
  const grouped = (format: Intl.NumberFormat, value: Decimal): string => {
    const parts = format.formatToParts(asNumeric(value))
    const digits = whole.format(BigInt(parts.flatMap(({ type, value: text }) => (type === 'integer' ? [text] : [])).join('')))
    const begin = parts.findIndex(({ type }) => type === 'integer')
    return parts.map(({ type, value: text }, index) => (index === begin ? digits : type === 'integer' || type === 'group' ? '' : text)).join('')
  }
  const currencyName = (currency: string): string => (currency.startsWith('#') ? nameOfNumber(currency.slice(1)) : currency)
  // Intl refuses a currency without a code.
  const inCurrency = (format: (currency: string) => Intl.NumberFormat, plain: Intl.NumberFormat, value: Decimal, currency: string): string =>
    trueMinus(currency.startsWith('#') ? `${plain.format(asNumeric(value))} ${currencyName(currency)}` : grouped(format(currency), value))
  const time = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const
  const day = { month: 'short', day: 'numeric' } as const
  const moments = new Intl.DateTimeFormat(tag, { ...day, ...time, timeZone })
  const exactMoments = new Intl.DateTimeFormat(tag, { ...day, ...time, fractionalSecondDigits: 3, timeZone })
  const fullMoments = new Intl.DateTimeFormat(tag, { ...day, ...time, year: 'numeric', timeZone })
  const shortMoments = new Intl.DateTimeFormat(tag, { ...day, hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone })
  const clockWithSeconds = new Intl.DateTimeFormat(tag, { ...time, timeZone })
  const clock = new Intl.DateTimeFormat(tag, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone })
  const days = new Intl.DateTimeFormat(tag, { ...day, timeZone: 'UTC' })
  const fullDays = new Intl.DateTimeFormat(tag, { ...day, year: 'numeric', timeZone: 'UTC' })
  const months = new Intl.DateTimeFormat(tag, { month: 'long', year: 'numeric', timeZone: 'UTC' })
  const longMonths = new Intl.DateTimeFormat(tag, { month: 'long', timeZone: 'UTC' })
  const shortMonths = new Intl.DateTimeFormat(tag, { month: 'short', timeZone: 'UTC' })
  const longDays = new Intl.DateTimeFormat(tag, { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' })
  const weekdays = new Intl.DateTimeFormat(tag, { weekday: 'long', timeZone: 'UTC' })
  const shortWeekdays = new Intl.DateTimeFormat(tag, { weekday: 'short', timeZone: 'UTC' })
  const units = timeUnits.map(([unit, ms]) => ({ ms, text: new Intl.NumberFormat(tag, { style: 'unit', unit, unitDisplay: 'narrow' }) }))
  const ages = new Intl.RelativeTimeFormat(tag, { numeric: 'auto', style: 'short' })

  return {
    /** `3,742.25`, `−812.40`; an exact decimal with fractions of a cent keeps them, `0.515`, so that displayed figures add up. */
    money: (value: Decimal): string => trueMinus((typeof value === 'string' ? exactMoney : cents).format(asNumeric(value))),
    /** `+461.90`, `−69.16`, `0.00`: for gains and losses, as exact as `money`. */
    signedMoney: (value: Decimal): string => trueMinus((typeof value === 'string' ? signedExactMoney : signedCents).format(asNumeric(value))),
    /** `+462`, `−69`, `0`: gains and losses where cents have no room. */
    signedWhole: (value: Decimal): string => trueMinus(signedWhole.format(asNumeric(value))),
    /** `$50,214`: balances and sums, without decimals. */
    wholeMoney: (value: Decimal, currency: string): string => inCurrency(wholeMoney, whole, value, currency),
    /** `$50,214.50`: an amount to the cent, or finer if it is, with its currency. */
    fullMoney: (value: Decimal, currency: string): string => inCurrency(fullMoney, exactMoney, value, currency),
    /** `USD`; of a currency without a code the words for it. */
    currencyName,
    /** `€`, `A$`: a currency where its code does not fit. */
    currencySign: (currency: string): string => new Intl.NumberFormat(tag, { style: 'currency', currency }).formatToParts(0).find(({ type }) => type === 'currency')?.value ?? currency,
    /** `21,604.25`: at least two decimals, all that the price has. */
    price: (value: Decimal): string => trueMinus(prices.format(asNumeric(value))),
    /** `21,604.29`, `1.084517`: an average price in a list, with seven digits and at least two decimals. */
    averagePrice: (value: number): string => trueMinus(averagesOf(value).format(value)),
    /** `1,204`. */
    count: (value: number): string => trueMinus(whole.format(value)),
    /** `1.62`. */
    ratio: (value: number): string => trueMinus(ratio.format(value)),
    /** `+1.62`, `−0.40`: for R-multiples. */
    signedRatio: (value: number): string => trueMinus(signedRatio.format(value)),
    /** `58.3%` for a share from 0 to 1. */
    percent: (value: number): string => trueMinus(share.format(value)),
    /** `+5.3`, `−0.4` for a difference of shares: percentage points, as exact as `percent`. */
    signedPoints: (value: number): string => trueMinus(signedTenths.format(value * 100)),
    /** `+206.7%`, `−100.0%`, `0.0%`: for returns. */
    signedPercent: (value: number): string => trueMinus(signedShare.format(value)),
    /** `30.01%`, `30%` for a share from 0 to 1: as precise as given, to 1/100 of a percent. */
    exactPercent: (value: number): string => trueMinus(exactShare.format(value)),
    /** `1.3`, `4`: contracts, possibly in tenths for micros. */
    quantity: (value: number): string => trueMinus(quantities.format(value)),
    /** `58%` for a share from 0 to 1, if there is little room. */
    wholePercent: (value: number): string => trueMinus(wholeShare.format(value)),
    /** `Feb 13, 14:41:07` of an ISO moment. */
    dateTime: (iso: string): string => moments.format(Date.parse(iso)),
    /** `Feb 13, 14:41:07.123` of an ISO moment. */
    exactMoment: (iso: string): string => exactMoments.format(Date.parse(iso)),
    /** `Feb 13, 14:41` of an ISO moment. */
    shortMoment: (iso: string): string => shortMoments.format(Date.parse(iso)),
    /** `Feb 13, 14:41 – 17:00` of two ISO moments, with both days if they differ. */
    span: (from: string, to: string): string => shortMoments.formatRange(Date.parse(from), Date.parse(to)),
    /** `Feb 13, 2026, 14:41:07` of an ISO moment. */
    fullDateTime: (iso: string): string => fullMoments.format(Date.parse(iso)),
    /** `14:41:07` of an ISO moment. */
    clock: (iso: string): string => clockWithSeconds.format(Date.parse(iso)),
    /** `14:41` of an ISO moment. */
    time: (iso: string): string => clock.format(Date.parse(iso)),
    /** `Feb 13` of a calendar day. */
    day: (calendarDay: string): string => days.format(Date.parse(calendarDay)),
    /** `Feb 13, 2026` of a calendar day. */
    fullDay: (calendarDay: string): string => fullDays.format(Date.parse(calendarDay)),
    /** `February 2026` of a calendar day. */
    month: (calendarDay: string): string => months.format(Date.parse(calendarDay)),
    /** `February` of a calendar day. */
    longMonth: (calendarDay: string): string => longMonths.format(Date.parse(calendarDay)),
    /** `Feb` of a calendar day. */
    shortMonth: (calendarDay: string): string => shortMonths.format(Date.parse(calendarDay)),
    /** `Fri, Feb 13` of a calendar day. */
    longDay: (calendarDay: string): string => longDays.format(Date.parse(calendarDay)),
    /** `Monday` of 1 up to `Sunday` of 7. */
    weekday: (number: number): string => weekdays.format(Date.parse(monday) + (number - 1) * dayMs),
    /** `Mon` of 1 up to `Sun` of 7. */
    shortWeekday: (number: number): string => shortWeekdays.format(Date.parse(monday) + (number - 1) * dayMs),
    /** `1h 4m`, `4m 12s`, `0s` of ms: its two largest units, rounded to the smaller. */
    duration: (ms: number): string => {
      const first = units.findIndex((unit) => ms >= unit.ms)
      const shown = first === -1 ? units.slice(-1) : units.slice(first, first + 2)
      const smallest = shown.at(-1)?.ms ?? 1
      let rest = Math.round(ms / smallest) * smallest
      const parts = shown.map((unit) => {
        const whole = Math.floor(rest / unit.ms)
        rest -= whole * unit.ms
        return { whole, text: unit.text.format(whole) }
      })
      return parts.filter(({ whole }, at) => whole > 0 || at === 0).map(({ text }) => text).join(' ')
    },
    /** `5 min. ago`, `in 2 hr.` of an ISO moment, seen from `nowMs`. */
    age: (iso: string, nowMs: number): string => {
      const minutes = Math.round((Date.parse(iso) - nowMs) / 60_000)
      if (Math.abs(minutes) < 60) return ages.format(minutes, 'minute')
      const hours = Math.round(minutes / 60)
      return Math.abs(hours) < 48 ? ages.format(hours, 'hour') : ages.format(Math.round(hours / 24), 'day')
    },
  }
}

/** The formats of `createFormat`. */
export type Format = ReturnType<typeof createFormat>

/** Whether a figure is a gain, a loss or neither, for its color. */
export const toneOf = (value: Decimal): 'gain' | 'loss' | 'even' => {
  const number = Number(value)
  return number > 0 ? 'gain' : number < 0 ? 'loss' : 'even'
}
