import type { Measure, MeasureName, ReportFact } from '#shared/api/reports.ts'
import type { Known } from '#shared/reports/grounding.ts'
import { isoDate, dayOfDate } from '#shared/market/zone-clock.ts'
import type { Draw } from '#tests/helpers/exports/draw.ts'

/** A figure as it is said: what it is said to measure, and its value in whole cents, ms, millionths or units. */
export type SaidFigure = { readonly measure: MeasureName; readonly unit: Measure['unit']; readonly value: number; readonly currency: string | null; readonly style: number; readonly sign: number }
/** A name as it is said. */
export type SaidName = { readonly field: 'account' | 'product' | 'side' | 'weekday' | 'hour' | 'day'; readonly value: string | number; readonly style: number }
/** What is said of one fact. `kind` says how it is rendered. */
export type Clause = { readonly cites: string; readonly names: readonly SaidName[]; readonly figures: readonly SaidFigure[] }
/** One or two clauses in a rendering; `together`: both are cited at the end. */
export type Said = { readonly rendering: Rendering; readonly clauses: readonly Clause[]; readonly together: boolean }

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
export const drawKnown = (draw: Draw): Known => {
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
  return { facts, names: accounts.map((account, index) => ({ account, name: `LTD${String(index)}`, pseudonym: pseudonyms[index] ?? '', firm: null })), period: { from: isoDate(from), to: isoDate(to) }, zone: 'America/New_York' }
}

// --- How values are written: the text, and what any value must be near so that it is written so.

type Written = { readonly text: string; readonly value: number; readonly step: number }

const grouped = (value: number, places: number): string => (value / 10 ** places).toLocaleString('en-US', { minimumFractionDigits: places, maximumFractionDigits: places })
const rounded = (value: number, step: number): number => Math.round(value / step) * step

const writeMoney = ({ value, currency, style, sign, measure }: SaidFigure, signed: boolean): Written => {
  const size = Math.abs(value)
  const code = (currency ?? 'USD') as Code
  const symbol = currencies[code]
  const minus = value < 0 && signed && !againstTrader.has(measure)
  const sure = ['-', '−'][sign % 2] ?? '-'
  const withSign = (amount: string): string => (minus ? `${sure}${amount}` : value > 0 && signed && sign % 5 === 4 ? `+${amount}` : amount)
  const steps: [least: number, step: number, write: (shown: number) => string][] = [
    [0, 1, (shown) => (minus && sign % 4 === 3 ? `(${symbol}${grouped(shown, 2)})` : withSign(`${symbol}${grouped(shown, 2)}`))],
    [0, 1, (shown) => `${minus ? `${code} ${sure}` : `${code} `}${grouped(shown, 2)}`],
    [0, 1, (shown) => withSign(`${grouped(shown, 2)} ${code}`)],
    [0, 1, (shown) => withSign(`${symbol}${(shown / 100).toFixed(2)}`)],
    [100, 100, (shown) => withSign(`${symbol}${grouped(shown / 100, 0)}`)],
    [100_000, 10_000, (shown) => withSign(`${symbol}${(shown / 100_000).toFixed(1)}k`)],
    [100_000, 1000, (shown) => withSign(`${(shown / 100_000).toFixed(2)} thousand ${currencyWords[code]}`)],
    [1000, 10 ** Math.max(2, String(size).length - 2), (shown) => `${['about', 'roughly', 'around'][sign % 3] ?? ''} ${withSign(`${symbol}${grouped(shown / 100, 0)}`)}`],
    [0, 1, (shown) => (minus ? `${symbol}-${grouped(shown, 2)}` : `${symbol}${grouped(shown, 2)}`)],
    [0, 1, (shown) => withSign(`${grouped(shown, 2)} ${currencyWords[code]}`)],
  ]
  const usable = steps.filter(([least]) => size >= least)
  const [, step, write] = usable[style % usable.length] ?? [0, 1, () => '']
  const shown = rounded(size, step)
  return { text: write(shown), value: shown, step }
}

const writeShare = ({ value, style }: SaidFigure): Written => {
  const [step, places, unit] = ([[10_000, 0, ' %'], [1000, 1, '%'], [10_000, 0, ' percent'], [100, 2, ' %']] as const)[style % 4] ?? [10_000, 0, '%']
  const shown = rounded(value, step)
  return { text: `${(shown / 10_000).toFixed(places)}${unit}`, value: shown, step }
}

const writeTime = ({ value, style }: SaidFigure): Written => {
  const [seconds, minutes] = [rounded(value, 1000), rounded(value, 60_000)]
  const hours = Math.floor(minutes / 3_600_000)
  if (style % 4 === 0) return { text: `${String(seconds / 1000)} seconds`, value: seconds, step: 1000 }
  if (style % 4 === 1 && seconds >= 60_000) return { text: `${String(Math.floor(seconds / 60_000))} min ${String((seconds % 60_000) / 1000)} s`, value: seconds, step: 1000 }
  if (style % 4 === 2 && hours > 0) return { text: style % 8 === 2 ? `${String(hours)} h ${String((minutes % 3_600_000) / 60_000)} m` : `${String(hours)}h${String((minutes % 3_600_000) / 60_000)}m`, value: minutes, step: 60_000 }
  return { text: `${String(minutes / 60_000)} ${minutes === 60_000 ? 'minute' : style % 8 < 4 ? 'minutes' : 'min'}`, value: minutes, step: 60_000 }
}

const writeOther = ({ value, unit, style, measure }: SaidFigure): Written => {
  if (unit === 'ratio') {
    const step = style % 2 === 0 ? 10_000 : 100_000
    const shown = rounded(value, step)
    return { text: (shown / 1_000_000).toFixed(style % 2 === 0 ? 2 : 1), value: shown, step }
  }
  if (unit === 'contracts') return { text: (value / 10).toFixed(1), value, step: 1 }
  const word = numberWords[value]
  return { text: style % 3 === 0 && word !== undefined && measure !== 'longest-wins' ? word : grouped(value, 0), value, step: 1 }
}

const writeFigure = (figure: SaidFigure, signed = true): Written => {
  if (figure.unit === 'money') return writeMoney(figure, signed)
  if (figure.unit === 'share' || figure.unit === 'chance') return writeShare(figure)
  return figure.unit === 'time' ? writeTime(figure) : writeOther(figure)
}

const writeName = ({ field, value, style }: SaidName): string => {
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

// --- Twenty ways to say it. Each names the measures that it wants.

type Parts = { readonly who: string; readonly figures: readonly SaidFigure[]; readonly at: (index: number, signed?: boolean) => string }
type Rendering = { readonly name: string; readonly wants: readonly MeasureName[]; readonly pair?: 'and' | 'while' | 'each'; readonly write: (parts: Parts) => string }

const verb = ({ figures }: Parts, index = 0): string => {
  const figure = figures[index]
  const words = (figure?.value ?? 0) < 0 ? ['lost', 'gave back', 'cost you', 'were down'] : ['made', 'earned', 'gained', 'brought in']
  return words[(figure?.sign ?? 0) % 4] ?? ''
}
const noun = (count: number | undefined, one: string, many: string): string => (count === 1 ? one : many)

export const renderings: readonly Rendering[] = [
  { name: 'verb', wants: ['net'], write: (parts) => `${parts.who} ${verb(parts)} ${parts.at(0, false)}` },
  { name: 'verb over trades', wants: ['net', 'trades'], write: (parts) => `${parts.who} ${verb(parts)} ${parts.at(0, false)} over ${parts.at(1)} ${noun(parts.figures[1]?.value, 'trade', 'trades')}` },
  { name: 'signed net', wants: ['net'], write: ({ who, at }) => `On ${who} your net result was ${at(0)}` },
  { name: 'list of figures', wants: ['net', 'trades', 'win-rate'], write: ({ who, figures, at }) => `${who}: net ${at(0)}, ${at(1)} ${noun(figures[1]?.value, 'trade', 'trades')}, win rate ${at(2)}` },
  { name: 'item', wants: ['net', 'wins'], write: ({ who, figures, at }) => `- **${who}**: ${at(0)} net, ${at(1)} ${noun(figures[1]?.value, 'win', 'wins')}` },
  { name: 'row of a table', wants: ['net', 'trades'], write: ({ who, at }) => `| ${who} | net ${at(0)} | trades ${at(1)} |` },
  { name: 'average', wants: ['average'], write: ({ who, at }) => `${who} averaged ${at(0)} per trade` },
  { name: 'on average', wants: ['average'], write: (parts) => `On average a trade in ${parts.who} ${verb(parts)} ${parts.at(0, false)}` },
  { name: 'win rate', wants: ['win-rate'], write: ({ who, at }) => `The win rate of ${who} was ${at(0)}` },
  { name: 'won share', wants: ['win-rate'], write: ({ who, at }) => `You won ${at(0)} of the trades in ${who}` },
  { name: 'wins and losses', wants: ['wins', 'losses'], write: ({ who, figures, at }) => `${at(0)} ${noun(figures[0]?.value, 'winner', 'winners')} against ${at(1)} ${noun(figures[1]?.value, 'loser', 'losers')} in ${who}` },
  { name: 'two facts cited together', wants: ['net'], pair: 'and', write: (parts) => `${parts.who} ${verb(parts)} ${parts.at(0, false)}` },
  { name: 'two facts cited apart', wants: ['net', 'trades'], pair: 'while', write: (parts) => `${parts.who} ${verb(parts)} ${parts.at(0, false)} in ${parts.at(1)} ${noun(parts.figures[1]?.value, 'trade', 'trades')}` },
  { name: 'profit factor', wants: ['profit-factor', 'drawdown'], write: ({ at }) => `With a profit factor of ${at(0)}, the deepest drawdown was ${at(1)}` },
  { name: 'average win and loss', wants: ['average-win', 'average-loss'], write: ({ at }) => `Your average win was ${at(0)}, your average loss ${at(1)}` },
  { name: 'largest', wants: ['largest-win', 'largest-loss', 'commission'], write: ({ at }) => `The largest win was ${at(0)}, the largest loss ${at(1)}; commission came to ${at(2)}` },
  { name: 'hold and days', wants: ['hold', 'days', 'gross'], write: ({ figures, at }) => `You held trades for ${at(0)}, on ${at(1)} ${noun(figures[1]?.value, 'day', 'days')}, gross ${at(2)}` },
  { name: 'streaks', wants: ['longest-wins', 'longest-losses'], write: ({ figures, at }) => `Your longest streaks were ${at(0)} ${noun(figures[0]?.value, 'win', 'wins')} in a row and ${at(1)} consecutive ${noun(figures[1]?.value, 'loss', 'losses')}` },
  { name: 'excess', wants: ['excess', 'excess-low', 'excess-high', 'chance'], write: ({ who, figures, at }) => `${who} made ${at(0, false)} ${(figures[0]?.value ?? 0) < 0 ? 'less' : 'more'} than the others (95 % interval ${at(1)} to ${at(2)}), with a chance of ${at(3)}` },
  { name: 'against others', wants: ['average', 'average-other', 'hold', 'hold-other'], write: ({ who, at }) => `${who} averaged ${at(0)} a trade against ${at(1)} for the others, held ${at(2)} against ${at(3)}` },
]

/** The names of a clause, as its text has them. */
export const whoOf = (names: readonly SaidName[]): string => names.map((name, index) => `${index === 0 ? '' : name.field === 'side' ? ' ' : ' on '}${writeName(name)}`).join('')

/** One stretch of the text, as it should come back, with the clauses that it says. */
export type Stretch = { readonly text: string; readonly clauses: readonly Clause[] }

/** The text of what is said, with its citations, and its stretches. */
export const writeSaid = ({ rendering, clauses, together }: Said): { readonly raw: string; readonly stretches: readonly Stretch[] } => {
  const parts = clauses.map(({ names, figures }) => rendering.write({ who: whoOf(names), figures, at: (index, signed) => (figures[index] === undefined ? '' : writeFigure(figures[index], signed).text) }))
  const cite = (clause: Clause | undefined): string => (clause === undefined ? '' : ` [${clause.cites}]`)
  const shown = (part: string): string => part.replace(/^- /, '').replaceAll('**', '')
  const [first = '', second] = parts
  if (second === undefined) return { raw: `${first}${cite(clauses[0])}.`, stretches: [{ text: shown(first), clauses }] }
  if (together) return { raw: `${first} and ${second} [${clauses.map(({ cites }) => cites).join(', ')}].`, stretches: [{ text: `${first} and ${second}`, clauses }] }
  return { raw: `${first}${cite(clauses[0])}, while ${second}${cite(clauses[1])}.`, stretches: [{ text: first, clauses: clauses.slice(0, 1) }, { text: `, while ${second}`, clauses: clauses.slice(1) }] }
}

// --- What is right, by arithmetic of its own.

const weekdayOf = (day: string): number => ((dayOfDate(day) + 3) % 7) + 1

/** Whether everything that a clause says is so of the fact that it cites. */
export const isRight = ({ cites, names, figures }: Clause, facts: readonly ReportFact[]): boolean => {
  const fact = facts.find(({ id }) => id === cites)
  if (fact === undefined) return false
  const nameIsRight = ({ field, value }: SaidName): boolean => fact.about[field] === value || (field === 'weekday' && fact.about.day !== undefined && weekdayOf(fact.about.day) === value)
  return names.every(nameIsRight) && figures.every((figure) => figureIsRight(figure, fact))
}

const figureIsRight = (figure: SaidFigure, fact: ReportFact): boolean =>
  fact.measures.some((measure) => {
    if (measure.name !== figure.measure || measure.unit !== figure.unit || (figure.unit === 'money' && measure.currency !== figure.currency)) return false
    const actual = unitsOf(measure)
    const { value, step } = writeFigure(figure)
    return Math.abs(Math.abs(actual) - value) * 2 <= step && (figure.unit !== 'money' || value === 0 || actual < 0 === figure.value < 0)
  })
