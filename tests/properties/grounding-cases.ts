import type { Finding, Measure, MeasureName, Report, ReportFact } from '#shared/api/reports.ts'
import { isoDate, dayOfDate } from '#shared/market/zone-clock.ts'
import type { Draw } from '#tests/helpers/exports/draw.ts'

/** The parts of a report that a narrative is written from. */
export type Drawn = Pick<Report, 'facts' | 'findings' | 'names' | 'period' | 'tried'>
/** A figure as a model types it; its value in whole cents, ms, millionths or units. */
export type TypedFigure = { readonly measure: MeasureName; readonly unit: Measure['unit']; readonly value: number; readonly currency: string | null; readonly style: number; readonly sign: number }
/** A name as a model types it. */
export type TypedName = { readonly field: 'account' | 'product' | 'side' | 'weekday' | 'hour' | 'day'; readonly value: string | number; readonly style: number }

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
const months = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December']
const products = ['MES', 'MNQ', 'ES', 'NQ', 'CL', 'M2K', 'GC', '6E']
const numberWords = 'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'.split(' ')
const currencies = { USD: '$', EUR: '€', GBP: '£' } as const
const currencyWords = { USD: 'dollars', EUR: 'euros', GBP: 'pounds' } as const
type Code = keyof typeof currencies

const accounts = ['tradovate:demo:1', 'tradovate:demo:2', 'tradovate:live:3']
const pseudonyms = ['Account A', 'Account B', 'Account C']

const scales: Record<Measure['unit'], number> = { money: 100, count: 1, days: 1, contracts: 10, time: 1, share: 1_000_000, chance: 1_000_000, ratio: 1_000_000 }
const text = (value: number, unit: Measure['unit']): string => {
  const places = String(scales[unit]).length - 1
  return (value / scales[unit]).toFixed(places)
}
/** The value of a measure in whole units of its kind. */
export const unitsOf = ({ value, unit }: Measure): number => Math.round(Number(value) * scales[unit])

// From a cent to a million, as likely small as large.
const drawMoney = (draw: Draw): number => {
  const size = 10 ** draw.between(0, 7)
  return draw.between(size, size * 10 - 1) * (draw.chance(0.5) ? 1 : -1)
}

const groupMeasures = (draw: Draw, currency: string): Measure[] => {
  const [wins, losses] = [draw.between(0, 40), draw.between(0, 40)]
  const trades = wins + losses + draw.between(1, 4)
  const money = (name: MeasureName, value: number): Measure => ({ name, unit: 'money', value: text(value, 'money'), currency })
  const count = (name: MeasureName, value: number): Measure => ({ name, unit: 'count', value: String(value), currency: null })
  return [money('net', drawMoney(draw)), money('average', drawMoney(draw)), count('trades', trades), count('wins', wins), count('losses', losses), { name: 'win-rate', unit: 'share', value: text(draw.between(0, 1_000_000), 'share'), currency: null }]
}

/** Facts of a made-up report: all kinds of groups and of figures, with everything independent of everything, so that nothing is right by accident. */
export const drawKnown = (draw: Draw): Drawn => {
  const currency = draw.pick(Object.keys(currencies))
  const from = dayOfDate('2026-01-05') + draw.between(0, 300)
  const to = from + draw.between(6, 40)
  const facts: ReportFact[] = []
  const add = (kind: ReportFact['kind'], about: ReportFact['about'], measures: Measure[], finding: string | null = null): void => {
    facts.push({ id: `f${String(facts.length + 1)}`, kind, about, measures, finding, trades: 1 + draw.between(0, 99) })
  }
  const own = draw.shuffle(products).slice(0, 3)
  const money = (name: MeasureName, value: number): Measure => ({ name, unit: 'money', value: text(value, 'money'), currency })
  const against = (name: MeasureName): Measure => money(name, -Math.abs(drawMoney(draw)))
  const count = (name: MeasureName, unit: 'count' | 'days' | 'time', value: number): Measure => ({ name, unit, value: String(value), currency: null })
  add('total', {}, [
    ...groupMeasures(draw, currency), money('gross', drawMoney(draw)), against('commission'), money('average-win', Math.abs(drawMoney(draw))), against('average-loss'), money('largest-win', Math.abs(drawMoney(draw))), against('largest-loss'), against('drawdown'),
    { name: 'profit-factor', unit: 'ratio', value: text(draw.between(1, 9_000_000), 'ratio'), currency }, count('days', 'days', draw.between(1, 30)), count('hold', 'time', draw.between(1000, 20_000_000)), count('longest-wins', 'count', draw.between(1, 15)), count('longest-losses', 'count', draw.between(1, 15)),
  ])
  accounts.forEach((account) => { add('account', { account }, groupMeasures(draw, currency)) })
  own.forEach((product) => { add('product', { product }, groupMeasures(draw, currency)) })
  for (const side of ['long', 'short'] as const) add('side', { side }, groupMeasures(draw, currency))
  for (let weekday = 1; weekday <= 5; weekday += 1) add('weekday', { weekday }, groupMeasures(draw, currency))
  const hours = draw.shuffle([...Array(24).keys()]).slice(0, 4)
  hours.forEach((hour) => { add('hour', { hour }, groupMeasures(draw, currency)) })
  for (let day = from; day < from + 5; day += 1) add('day', { day: isoDate(day) }, groupMeasures(draw, currency))
  add('account', { account: draw.pick(accounts), product: draw.pick(own) }, groupMeasures(draw, currency))
  add('product', { product: draw.pick(own), side: draw.pick(['long', 'short']), hour: draw.pick(hours) }, groupMeasures(draw, currency))
  const excess = drawMoney(draw)
  const finding: Measure[] = [...groupMeasures(draw, currency), money('excess', excess), money('excess-low', excess - draw.between(1, 9_000)), money('excess-high', excess + draw.between(1, 9_000)), { name: 'chance', unit: 'chance', value: text(draw.between(500, 900_000), 'chance'), currency: null }, money('average-other', drawMoney(draw)), count('hold', 'time', draw.between(1000, 20_000_000)), { name: 'hold-other', unit: 'time', value: String(draw.between(1000, 20_000_000)), currency: null }]
  add('weekday', { weekday: draw.between(1, 5) }, finding, 'w')
  add('product', { product: draw.pick(own) }, finding, 'p')
  add('size-after-loss', {}, [...finding, { name: 'size', unit: 'contracts', value: text(draw.between(1, 90), 'contracts'), currency: null }, { name: 'size-other', unit: 'contracts', value: text(draw.between(1, 90), 'contracts'), currency: null }], 's')
  // Of weekdays all are there, of the other groups some.
  const whole = facts.filter(({ kind, finding: key }) => kind === 'weekday' && key === null).reduce((sum, { trades }) => sum + trades, 0)
  const findings = facts.flatMap(({ kind, about, finding: key, trades }): Finding[] => (key === null || kind !== 'weekday' && kind !== 'product' && kind !== 'size-after-loss' ? [] : [{ key, kind, about, currency, evidence: draw.pick(['evident', 'possible', 'none', 'untested', 'too-little']), trades, others: draw.between(1, 99), net: text(drawMoney(draw), 'money'), excess: { value: text(excess, 'money'), low: text(excess - 900, 'money'), high: text(excess + 900, 'money') }, chance: { alone: 0.01, corrected: 0.2 }, measures: [], bars: [], barsIn: 'money' }]))
  return { facts: facts.map((fact) => (fact.kind === 'total' ? { ...fact, trades: whole } : fact)), findings, names: accounts.map((account, index) => ({ account, name: `LTD${String(index)}`, pseudonym: pseudonyms[index] ?? '', firm: null })), period: { kind: 'free', from: isoDate(from), to: isoDate(to) }, tried: 9 }
}

// --- How models type values and names.

const grouped = (value: number, places: number): string => (value / 10 ** places).toLocaleString('en-US', { minimumFractionDigits: places, maximumFractionDigits: places })
const rounded = (value: number, step: number): number => Math.round(value / step) * step

const writeMoney = ({ value, currency, style, sign, measure }: TypedFigure): string => {
  const size = Math.abs(value)
  const code = (currency ?? 'USD') as Code
  const symbol = currencies[code]
  const minus = value < 0 && !againstTrader.has(measure)
  const sure = ['-', '−'][sign % 2] ?? '-'
  const withSign = (amount: string): string => (minus ? `${sure}${amount}` : value > 0 && sign % 5 === 4 ? `+${amount}` : amount)
  const steps: [least: number, write: () => string][] = [
    [0, () => (minus && sign % 4 === 3 ? `(${symbol}${grouped(size, 2)})` : withSign(`${symbol}${grouped(size, 2)}`))],
    [0, () => `${minus ? `${code} ${sure}` : `${code} `}${grouped(size, 2)}`],
    [0, () => withSign(`${grouped(size, 2)} ${code}`)],
    [0, () => withSign(`${symbol}${(size / 100).toFixed(2)}`)],
    [100, () => withSign(`${symbol}${grouped(rounded(size, 100) / 100, 0)}`)],
    [100_000, () => withSign(`${symbol}${(size / 100_000).toFixed(1)}k`)],
    [100_000, () => withSign(`${(size / 100_000).toFixed(2)} thousand ${currencyWords[code]}`)],
    [1000, () => `${['about', 'roughly', 'around'][sign % 3] ?? ''} ${withSign(`${symbol}${grouped(rounded(size, 10 ** Math.max(2, String(size).length - 2)) / 100, 0)}`)}`],
    [0, () => (minus ? `${symbol}-${grouped(size, 2)}` : `${symbol}${grouped(size, 2)}`)],
    [0, () => withSign(`${grouped(size, 2)} ${currencyWords[code]}`)],
  ]
  const usable = steps.filter(([least]) => size >= least)
  return usable[style % usable.length]?.[1]() ?? ''
}

const writeShare = ({ value, style }: TypedFigure): string => {
  const [places, unit] = ([[0, ' %'], [1, '%'], [0, ' percent'], [2, ' %']] as const)[style % 4] ?? [0, '%']
  return `${(value / 10_000).toFixed(places)}${unit}`
}

const writeTime = ({ value, style }: TypedFigure): string => {
  const [seconds, minutes] = [rounded(value, 1000), rounded(value, 60_000)]
  const hours = Math.floor(minutes / 3_600_000)
  if (style % 4 === 0) return `${String(seconds / 1000)} seconds`
  if (style % 4 === 1 && seconds >= 60_000) return `${String(Math.floor(seconds / 60_000))} min ${String((seconds % 60_000) / 1000)} s`
  if (style % 4 === 2 && hours > 0) return style % 8 === 2 ? `${String(hours)} h ${String((minutes % 3_600_000) / 60_000)} m` : `${String(hours)}h${String((minutes % 3_600_000) / 60_000)}m`
  return `${String(minutes / 60_000)} ${minutes === 60_000 ? 'minute' : style % 8 < 4 ? 'minutes' : 'min'}`
}

const writeOther = ({ value, unit, style }: TypedFigure): string => {
  if (unit === 'ratio') return (value / 1_000_000).toFixed(style % 2 === 0 ? 2 : 1)
  if (unit === 'contracts') return (value / 10).toFixed(1)
  return (style % 3 === 0 ? numberWords[value] : undefined) ?? grouped(value, 0)
}

/** A figure as a model types it. */
export const writeFigure = (figure: TypedFigure): string => {
  if (figure.unit === 'money') return writeMoney(figure)
  if (figure.unit === 'share' || figure.unit === 'chance') return writeShare(figure)
  return figure.unit === 'time' ? writeTime(figure) : writeOther(figure)
}

/** A name as a model types it. */
export const writeName = ({ field, value, style }: TypedName): string => {
  const pick = (...forms: string[]): string => forms[style % forms.length] ?? ''
  const number = Number(value)
  if (field === 'account') return pseudonyms[accounts.indexOf(String(value))] ?? `Account ${String(value)}`
  if (field === 'product') return String(value)
  if (field === 'side') return pick(`${String(value)}s`, `${String(value)} trades`, `the ${String(value)} side`)
  const day = weekdays[number - 1] ?? ''
  if (field === 'weekday') return pick(`${day}s`, day, day.slice(0, 3))
  if (field === 'hour') {
    const clock = (hour: number): string => `${String(hour % 24).padStart(2, '0')}:00`
    const half = (hour: number): string => `${String(hour % 12 === 0 ? 12 : hour % 12)} ${hour % 24 < 12 ? 'am' : 'pm'}`
    return pick(clock(number), half(number), `${clock(number)}–${clock(number + 1)}`, `between ${half(number)} and ${half(number + 1)}`, `hour ${String(number)}`, `${half(number).replace(' ', '')}`)
  }
  const [year = '', month = '', date = ''] = String(value).split('-')
  const name = months[Number(month) - 1] ?? ''
  const ordinal = ['th', 'st', 'nd', 'rd'][[11, 12, 13].includes(Number(date)) ? 0 : Number(date) % 10] ?? 'th'
  return pick(String(value), `${name.slice(0, 3)} ${String(Number(date))}`, `${name} ${String(Number(date))}${ordinal}, ${year}`, `${String(Number(month))}/${String(Number(date))}`, `${String(Number(date))} ${name}`, `${name} ${String(Number(date))}, ${year}`)
}

const againstTrader = new Set<MeasureName>(['commission', 'average-loss', 'largest-loss', 'drawdown'])

// --- Twenty ways to say it, of references and joining words.

const pairOf = (draw: Draw, facts: readonly ReportFact[]): readonly [string, string] => {
  const [one, other] = draw.shuffle(facts.filter(({ kind, finding }) => kind !== 'total' && finding === null))
  return [one?.id ?? '', other?.id ?? '']
}
const anyOf = (draw: Draw, { facts }: Drawn): string => draw.pick(facts.filter(({ finding }) => finding === null)).id
const foundIn = (draw: Draw, { facts }: Drawn): string => draw.pick(facts.filter(({ finding }) => finding !== null)).id

/** Each gives a sentence that is right, as `sentenceOf` reads it; ` | ` parts two. */
export const renderings: readonly { readonly name: string; readonly write: (draw: Draw, known: Drawn) => string }[] = [
  { name: 'net', write: (draw, known) => `{${anyOf(draw, known)} net}` },
  { name: 'net over trades', write: (draw, known) => `Here you see {${anyOf(draw, known)} net,trades}` },
  { name: 'list of figures', write: (draw, known) => `On {${anyOf(draw, known)} net,trades,win-rate}.` },
  { name: 'item', write: (draw, known) => `- {${anyOf(draw, known)} net,wins}` },
  { name: 'average', write: (draw, known) => `Note {${anyOf(draw, known)} average} here.` },
  { name: 'win rate', write: (draw, known) => `Your report shows {${anyOf(draw, known)} win-rate}` },
  { name: 'wins and losses', write: (draw, known) => `You recorded {${anyOf(draw, known)} wins,losses} here.` },
  { name: 'two facts', write: (draw, { facts }) => pairOf(draw, facts).map((id) => `{${id} net}`).join(' and ') },
  { name: 'two facts apart', write: (draw, { facts }) => pairOf(draw, facts).map((id) => `{${id} net,trades}`).join(', while there stands ') },
  { name: 'net compared', write: (draw, { facts }) => `{compare ${pairOf(draw, facts).join(' ')} net}` },
  { name: 'rate compared', write: (draw, { facts }) => `Look at {compare ${pairOf(draw, facts).join(' ')} win-rate}.` },
  { name: 'highest', write: (draw) => `{most weekday ${draw.pick(['net', 'average', 'win-rate'])}}` },
  { name: 'lowest', write: (draw) => `The figures show {least weekday ${draw.pick(['net', 'average', 'win-rate'])}}.` },
  { name: 'profit factor', write: () => 'With {f1 profit-factor,drawdown}.' },
  { name: 'average win and loss', write: () => 'Your results: {f1 average-win,average-loss}' },
  { name: 'largest', write: () => '{f1 largest-win,largest-loss}; also {f1 commission}' },
  { name: 'hold and days', write: () => 'The period had {f1 hold,days,gross}' },
  { name: 'streaks', write: () => '{f1 longest-wins} and {f1 longest-losses}' },
  { name: 'excess', write: (draw, known) => `{${foundIn(draw, known)} excess,excess-low,excess-high,chance}` },
  { name: 'finding', write: (draw, known) => `{finding ${foundIn(draw, known)}}. {evidence ${foundIn(draw, known)}}` },
]
