import type { MeasureName, Reference, ReportFact } from '#shared/api/reports.ts'
import type { Drawn } from './grounding-cases.ts'

// What a reader of the screen would take the words for, by arithmetic of its own.

const labels: Readonly<Record<string, MeasureName>> = {
  'Net P&L': 'net', 'Gross P&L': 'gross', 'Commissions & fees': 'commission', Wins: 'wins', Losses: 'losses', 'Win rate': 'win-rate', Expectancy: 'average', 'Expectancy of the others': 'average-other', 'Difference from the others': 'excess', 'Interval low': 'excess-low', 'Interval high': 'excess-high',
  'Avg win': 'average-win', 'Avg loss': 'average-loss', 'Largest win': 'largest-win', 'Largest loss': 'largest-loss', 'Profit factor': 'profit-factor', 'Max drawdown': 'drawdown', 'Hold time': 'hold', 'Avg hold time': 'hold', 'Median hold time': 'hold', 'Hold time of the others': 'hold-other', Size: 'size', 'Size of the others': 'size-other', Days: 'days', 'Longest win streak': 'longest-wins', 'Longest loss streak': 'longest-losses', 'Longest win streak across accounts': 'longest-wins', 'Longest loss streak across accounts': 'longest-losses', Chance: 'chance',
}
const signs = { $: 'USD', '€': 'EUR', '£': 'GBP' } as const
const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const two = (value: number): string => String(value).padStart(2, '0')
const dayText = (day: string): string => `${months[Number(day.slice(5, 7)) - 1] ?? ''} ${String(Number(day.slice(8)))}, ${day.slice(0, 4)}`

/** What a fact is of, as a reader knows it. */
const titleOf = ({ kind, about: { account, product, side, weekday, hour, day } }: ReportFact, { names, period }: Drawn): string => {
  if (kind === 'total') {
    const [from, to] = [dayText(period.from), dayText(period.to)]
    return `${from.endsWith(to.slice(-4)) ? from.slice(0, -6) : from} – ${to}`
  }
  const parts = [
    names.find((one) => one.account === account)?.name, product, side === undefined ? undefined : side === 'long' ? 'Long' : 'Short', weekday === undefined ? undefined : weekdays[weekday - 1],
    hour === undefined ? undefined : `${two(hour)}:00 to ${two((hour + 1) % 24)}:00`, day === undefined ? undefined : dayText(day),
  ].filter((part) => part !== undefined)
  return parts.length === 0 && kind === 'size-after-loss' ? 'Size after a loss' : parts.join(' · ')
}

const timeOf = (text: string): number => [...text.matchAll(/(\d+)([dhms])/gu)].reduce((sum, [, count, unit]) => sum + Number(count) * ({ d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000 }[unit ?? 's'] ?? 0), 0)
const close = (one: number, other: number, step: number): boolean => Math.abs(one - other) <= step / 2 + 1e-9

// A cost reads as what was paid.
const readAs = ({ name, value }: ReportFact['measures'][number]): number => (name === 'commission' ? 0 - Number(value) : Number(value))

// A figure of a fact, as it is written: `Net P&L −$150.25`, `12 trades`.
const holds = (said: string, { measures }: ReportFact): boolean => {
  const trades = /^([\d,]+) trades?$/u.exec(said)
  if (trades !== null) return measures.some(({ name, value }) => name === 'trades' && Number(value) === Number(trades[1]?.replaceAll(',', '')))
  const label = Object.keys(labels).filter((one) => said.startsWith(`${one} `)).sort((one, other) => other.length - one.length)[0] ?? ''
  const measure = measures.find(({ name }) => name === labels[label])
  const text = said.slice(label.length + 1)
  if (measure === undefined || label === '') return false
  const is = readAs(measure)
  const plain = Number(text.replaceAll(/[+,$€£%]/gu, '').replace('−', '-'))
  switch (measure.unit) {
    case 'money':
      return /^[+−]?[$€£][\d,]+\.\d\d$/u.test(text) && signs[text.replace(/^[+−]/u, '').charAt(0) as keyof typeof signs] === measure.currency && plain === is
    case 'share':
      return text.endsWith('%') && close(plain / 100, is, 0.001)
    case 'chance': {
      const many = /^in (fewer than )?one of ([\d,]+) cases$/u.exec(text)
      if (text === 'in nearly all cases') return is >= 0.995
      if (many === null) return /^in \d+% of cases$/u.test(text) && close(Number(text.replace(/\D/gu, '')) / 100, is, 0.01)
      const size = Number(many[2]?.replaceAll(',', ''))
      return many[1] === undefined ? size <= 1 / is && 1 / is < size * 1.2 + 1 : is < 1 / size
    }
    case 'time':
      return close(timeOf(text), is, is < 3_600_000 ? 1000 : is < 86_400_000 ? 60_000 : 3_600_000)
    case 'ratio':
      return close(plain, is, 0.01)
    default:
      return plain === is
  }
}

const figuresAreSo = (text: string, known: Drawn): readonly ReportFact[] => {
  const [, title = '', figures = ''] = /^(.*) \(([^()]*)\)$/u.exec(text) ?? []
  return known.facts.filter((fact) => titleOf(fact, known) === title && figures.split(', ').every((said) => holds(said, fact)))
}

const valueOf = (fact: ReportFact | undefined, figure: MeasureName): number => {
  const measure = fact?.measures.find(({ name }) => name === figure)
  return measure === undefined ? NaN : readAs(measure)
}

/** Whether what Fillbook wrote for a reference is so. */
export const isSo = (text: string, reference: Reference, known: Drawn): boolean => {
  if ('compare' in reference) {
    const [, one = '', word = '', other = ''] = /^(.*\)), (higher than|lower than|the same as) (.*)$/u.exec(text) ?? []
    const [left, right] = [figuresAreSo(one, known), figuresAreSo(other, known)]
    return left.some((a) => right.some((b) => Math.sign(valueOf(a, reference.figure) - valueOf(b, reference.figure)) === (word === 'higher than' ? 1 : word === 'lower than' ? -1 : 0)))
  }
  if ('most' in reference || 'least' in reference) {
    const [, one = '', word = '', groups = ''] = /^(.*\)), the (highest|lowest) of the (\w+)s traded$/u.exec(text) ?? []
    const all = known.facts.filter(({ kind, finding }) => kind === groups && finding === null).map((fact) => valueOf(fact, reference.figure))
    const edge = word === 'highest' ? Math.max(...all) : Math.min(...all)
    return figuresAreSo(one, known).some((fact) => valueOf(fact, reference.figure) === edge) && all.filter((value) => value === edge).length === 1
  }
  if ('finding' in reference || 'evidence' in reference) {
    const fact = known.facts.find(({ id }) => id === ('finding' in reference ? reference.finding : reference.evidence))
    const finding = known.findings.find(({ key }) => key === fact?.finding)
    if (fact === undefined || finding === undefined) return false
    const names = { evident: 'Significant', possible: 'Could be chance', none: 'Not significant', untested: 'Not tested', 'too-little': 'Not enough data' } as const
    if ('evidence' in reference || finding.evidence === 'too-little') return text.startsWith(`${titleOf(fact, known)}: ${names[finding.evidence]}, `)
    const amount = Number(finding.excess?.value)
    return text.includes(`${amount < 0 ? 'less' : 'more'} than`) && text.replaceAll(',', '').includes(Math.abs(amount).toFixed(2)) && (fact.about.weekday === undefined || text.includes(weekdays[fact.about.weekday - 1] ?? ''))
  }
  return 'fact' in reference && figuresAreSo(text, known).length > 0
}
