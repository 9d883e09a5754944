import type { MeasureName, ReportFact } from '#shared/api/reports.ts'
import type { SaidSigns } from './agree.ts'
import type { Figure, Label, Mark, Name } from './marks.ts'

/** A figure with all that the words around it say of what it measures. */
export type SaidFigure = {
  readonly figure: Figure
  readonly text: string
  readonly signs: SaidSigns
  /** Those of its own piece. */
  readonly own: SaidSigns
  /** What it may measure; none where its words say nothing that is known, or contradict each other. */
  readonly measures: readonly MeasureName[]
  /** Whether it counts contracts. */
  readonly isContracts: boolean
  /** Of which kind of fact alone these words speak; null where of any. */
  readonly kind: ReportFact['kind'] | null
}

/** A name with its words. */
export type SaidName = { readonly name: Name; readonly text: string }

/** A part of a stretch between commas, 'and' and the like. */
export type Piece = { readonly figures: readonly SaidFigure[]; readonly names: readonly SaidName[]; readonly isAgainst: boolean; readonly marks: readonly Mark[]; /** Where its nouns stand that say what numbers count. */ readonly consumed: ReadonlySet<number> }

/** What the last amount of a sentence was said to be: `Mondays lost $50, Tuesdays $20` says that both were lost. */
export type Spoken = { readonly labels: readonly Label[]; readonly signs: SaidSigns }

/** Nothing was said yet. */
export const nothingSpoken: Spoken = { labels: [], signs: { gain: false, loss: false } }

/** What words without a figure leave for the figures that come after them. */
export type Pending = { readonly labels: readonly Label[]; readonly gain: boolean; readonly loss: boolean; readonly other: boolean; readonly nouns: boolean; readonly poison: boolean }

/** Nothing pending. */
export const nothingPending: Pending = { labels: [], gain: false, loss: false, other: false, nouns: false, poison: false }

type Part = { readonly marks: readonly Mark[]; readonly isAgainst: boolean; readonly inherited: readonly Label[]; /** Where the noun of each number stands, by where the number does. */ readonly nouns: ReadonlyMap<number, number>; readonly consumed: ReadonlySet<number> }
type Placed = { readonly mark: Extract<Mark, { is: 'figure' }>; readonly at: number }

const moneyLabels: ReadonlySet<Label> = new Set(['net', 'gross', 'commission', 'average', 'average-win', 'average-loss', 'largest-win', 'largest-loss', 'drawdown', 'gave-back', 'excess', 'interval'])

/**
 * The pieces of a stretch; `before` is what was pending when it began, and `pending` is that with what its own words leave.
 * `spoken` is of the sentence before it, and after it. Where several facts are cited, a piece with names of its own is not what another is held against, but stands for itself.
 */
export const piecesOf = (marks: readonly Mark[], before: Pending, spoken: Spoken, isOfSeveral: boolean): { readonly pieces: readonly Piece[]; readonly pending: Pending; readonly spoken: Spoken } => {
  const parts = split(marks, isOfSeveral)
  const pending = merged(before, dangling(parts))
  let last = spoken
  const pieces = parts.map((part) => {
    const piece = readPiece(part, pending, last)
    last = piece.spoken
    return piece
  })
  return { pieces, pending, spoken: last }
}

const split = (marks: readonly Mark[], isOfSeveral: boolean): readonly Part[] => {
  const parts: { marks: Mark[]; isAgainst: boolean }[] = [{ marks: [], isAgainst: false }]
  for (const mark of marks) {
    if (mark.is === 'break') parts.push({ marks: [], isAgainst: mark.against })
    else parts.at(-1)?.marks.push(mark)
  }
  return parts.map((part, index) => {
    const isAgainst = part.isAgainst && !(isOfSeveral && part.marks.some(({ is }) => is === 'name'))
    const nouns = nounsOf(part.marks)
    return { marks: part.marks, isAgainst, inherited: isAgainst ? labelsIn(parts[index - 1]?.marks ?? []) : [], nouns, consumed: new Set(nouns.values()) }
  })
}

const labelsIn = (marks: readonly Mark[]): readonly Label[] => marks.flatMap((mark) => (mark.is === 'label' ? [mark.label] : []))

// The nouns that say what numbers count.
const nounsOf = (marks: readonly Mark[]): ReadonlyMap<number, number> => {
  const nouns = new Map<number, number>()
  const consumed = new Set<number>()
  marks.forEach((mark, at) => {
    const noun = mark.is === 'figure' && mark.figure.unit === 'number' ? nounOf(marks, at, consumed) : null
    if (noun === null) return
    nouns.set(at, noun)
    consumed.add(noun)
  })
  return nouns
}

const mostBetween = 4
const mostFigures = 40

// `38 long trades`: right behind the number but for names and small words. `Trades: 38`: before it, but for words that say nothing.
const nounOf = (marks: readonly Mark[], at: number, consumed: ReadonlySet<number>): number | null => {
  for (let next = at + 1; next <= at + mostBetween + 1; next += 1) {
    const mark = marks[next]
    if (mark?.is === 'noun') return next
    const passes = mark !== undefined && ((mark.is === 'word' && mark.between) || mark.is === 'name' || (mark.is === 'label' && mark.label === 'streak'))
    if (!passes) break
  }
  for (let before = at - 1; before >= at - mostBetween; before -= 1) {
    const mark = marks[before]
    if (mark?.is === 'noun') return consumed.has(before) ? null : before
    if (mark?.is !== 'word') return null
  }
  return null
}

const isMoney = (mark: Mark): boolean => mark.is === 'figure' && mark.figure.unit === 'money'
const isFigureOf = (mark: Mark, unit: Figure['unit']): boolean => mark.is === 'figure' && mark.figure.unit === unit

// What stands in pieces that have no figure of its class.
const dangling = (parts: readonly Part[]): Pending => {
  const labels = new Set<Label>()
  let [gain, loss, other, nouns, poison] = [false, false, false, false, false]
  for (const { marks, consumed } of parts) {
    const hasMoney = marks.some(isMoney)
    const hasFigure = marks.some(({ is }) => is === 'figure')
    marks.forEach((mark, at) => {
      if (mark.is === 'label' && !(moneyLabels.has(mark.label) ? hasMoney : hasFigure)) labels.add(mark.label)
      if (mark.is === 'sign' && !hasMoney) {
        if (mark.sign > 0) gain = true
        else loss = true
      }
      if (mark.is === 'other' && !hasFigure) other = true
      if (mark.is === 'noun' && (mark.noun === 'wins' || mark.noun === 'losses') && !consumed.has(at) && !hasFigure) nouns = true
      if (mark.is === 'poison') poison = true
    })
  }
  return { labels: [...labels], gain, loss, other, nouns, poison }
}

const merged = (one: Pending, two: Pending): Pending => ({
  labels: [...new Set([...one.labels, ...two.labels])],
  gain: one.gain || two.gain,
  loss: one.loss || two.loss,
  other: one.other || two.other,
  nouns: one.nouns || two.nouns,
  poison: one.poison || two.poison,
})

const readPiece = (part: Part, pending: Pending, spoken: Spoken): Piece & { readonly spoken: Spoken } => {
  const { marks, isAgainst, consumed } = part
  const placed = marks.flatMap((mark, at): Placed[] => (mark.is === 'figure' ? [{ mark, at }] : []))
  // Nobody writes so many in one piece, and time is to be linear in the text.
  if (placed.length > mostFigures) return { isAgainst, marks, consumed, spoken, names: [], figures: placed.map(({ mark: { figure, text } }) => ({ figure, text, signs: nothingSpoken.signs, own: nothingSpoken.signs, measures: [], isContracts: false, kind: null })) }
  const money = placed.filter(({ mark }) => isMoney(mark))
  const bound = zoneLabels(part, money)
  const words = money.map((_, index) => (bound === null ? null : moneyWords(part, bound[index] ?? [], pending, spoken)))
  const last = words.at(-1)
  return {
    isAgainst,
    marks,
    consumed,
    spoken: last === undefined ? spoken : last === null ? nothingSpoken : { labels: last.labels, signs: last.signs },
    names: marks.flatMap((mark) => (mark.is === 'name' ? [{ name: mark.name, text: mark.text }] : [])),
    figures: placed.map(({ mark, at }): SaidFigure => {
      const { figure, text } = mark
      if (figure.unit === 'time' && outcomesIn(part).size > 0) return heldByOutcome(part, mark, pending)
      if (figure.unit !== 'money') return { figure, text, signs: nothingSpoken.signs, own: nothingSpoken.signs, measures: measuresOf(part, mark, at, pending, placed.length), isContracts: marks.some((one) => one.is === 'noun' && one.noun === 'contracts'), kind: null }
      const said = words[money.findIndex((one) => one.at === at)] ?? null
      // What a figure carries itself, no word before it takes back.
      const signs = said === null ? { gain: true, loss: true } : said.isInherited && figure.sign !== 0 ? { gain: false, loss: false } : said.signs
      return { figure, text, signs, own: said?.own ?? nothingSpoken.signs, measures: said?.measures ?? [], isContracts: false, kind: null }
    }),
  }
}

const outcomesIn = ({ marks, consumed }: Part): ReadonlySet<'wins' | 'losses'> => new Set(marks.flatMap((mark, at) => (mark.is === 'noun' && (mark.noun === 'wins' || mark.noun === 'losses') && !consumed.has(at) ? [mark.noun] : [])))

// `Winners were held 4 min against 9 min for losers`: told of early exits alone.
const heldByOutcome = (part: Part, { figure, text }: Placed['mark'], pending: Pending): SaidFigure => {
  const [outcome, ...more] = outcomesIn(part)
  const said = [...labelsIn(part.marks), ...pending.labels, ...part.inherited].includes('hold') && more.length === 0 && part.marks.filter((mark) => isFigureOf(mark, 'time')).length === 1
  return { figure, text, signs: nothingSpoken.signs, own: nothingSpoken.signs, measures: said ? [outcome === 'wins' ? 'hold' : 'hold-other'] : [], isContracts: false, kind: 'early-exit' }
}

// The labels of each amount: of one alone all of its piece; of several those before each, or those behind each. Null where that is not clear.
const zoneLabels = ({ marks, consumed }: Part, money: readonly Placed[]): readonly (readonly Mark[])[] | null => {
  const says = (mark: Mark, at: number): boolean => (mark.is === 'label' && moneyLabels.has(mark.label)) || (mark.is === 'noun' && (mark.noun === 'wins' || mark.noun === 'losses') && !consumed.has(at)) || mark.is === 'other'
  if (money.length <= 1) return [marks.filter(says)]
  const ends = [-1, ...money.map(({ at }) => at), marks.length]
  const zones = ends.slice(0, -1).map((from, index) => marks.filter((mark, at) => at > from && at < (ends[index + 1] ?? 0) && says(mark, at)))
  const [first = [], last = []] = [zones[0], zones.at(-1)]
  if (zones.every((zone) => zone.length === 0)) return zones.slice(1)
  if (last.length === 0 && zones.slice(0, -1).every((zone) => zone.length > 0)) return zones.slice(0, -1)
  return first.length === 0 && zones.slice(1).every((zone) => zone.length > 0) ? zones.slice(1) : null
}

const nounsOnly = (marks: readonly Mark[], consumed: ReadonlySet<number>): boolean => marks.some((mark, at) => mark.is === 'noun' && !consumed.has(at))

// Whether a piece names what is told in another unit, and has no figure of that: 'a win rate of $50'.
const saysElse = (marks: readonly Mark[], unit: Figure['unit']): boolean =>
  labelsIn(marks).some((label) => {
    const units = unitsOfLabel(label)
    if (label === 'hold' && marks.some((mark) => mark.is === 'name' && mark.name.field === 'held')) return false
    return units.length > 0 && !units.includes(unit) && !marks.some((mark) => mark.is === 'figure' && units.includes(mark.figure.unit))
  })

const unitsOfLabel = (label: Label): readonly Figure['unit'][] => {
  if (label === 'average') return []
  if (label === 'commission' || label === 'gave-back') return ['money', 'share']
  if (moneyLabels.has(label)) return ['money']
  if (label === 'hold') return ['time']
  return label === 'win-rate' || label === 'share' || label === 'chance' ? ['share', 'number', 'one-in'] : ['number']
}

type MoneyWords = { readonly labels: readonly Label[]; readonly signs: SaidSigns; readonly own: SaidSigns; readonly isInherited: boolean; readonly measures: readonly MeasureName[] }

const moneyWords = ({ marks, consumed, isAgainst }: Part, own: readonly Mark[], pending: Pending, spoken: Spoken): MoneyWords => {
  const verbs = { gain: marks.some((mark) => mark.is === 'sign' && mark.sign > 0 && mark.of !== 'trades'), loss: marks.some((mark) => mark.is === 'sign' && mark.sign < 0) }
  const hasOwnSign = verbs.gain || verbs.loss
  const said = new Set(labelsIn(own))
  const nouns = new Set(own.flatMap((mark) => (mark.is === 'noun' ? [mark.noun] : [])))
  const isBare = said.size === 0 && nouns.size === 0
  const ways = new Set(marks.flatMap((mark) => (mark.is === 'more' ? [mark.way] : [])))
  const isInherited = !hasOwnSign && ways.size === 0
  // What only compares belongs to a figure that is compared, not to one that has a verb of its own.
  const labels = !isBare ? said : new Set([...pending.labels.filter((label) => moneyLabels.has(label) && !(label === 'excess' && hasOwnSign)), ...(isInherited ? spoken.labels : [])])
  const other = own.some(({ is }) => is === 'other') || isAgainst || (isBare && pending.other && !hasOwnSign)
  const hasPending = pending.gain || pending.loss
  const ownSigns = !isInherited ? verbs : hasPending ? { gain: pending.gain, loss: pending.loss } : spoken.signs
  const signs = ways.size === 0 ? ownSigns : comparedSigns(verbs, ways)
  // A figure of losses is one below zero.
  const words = { labels: [...labels], own: verbs, signs: nouns.has('losses') ? { ...signs, loss: true } : signs, isInherited: isInherited && !hasPending }
  const isElse = (isBare && !hasOwnSign && nounsOnly(marks, consumed) && marks.every(({ is }) => is !== 'name' && is !== 'other')) || saysElse(marks, 'money')
  const isHad = labels.size === 0 && !hasOwnSign && marks.some((mark) => mark.is === 'word' && mark.isVerb === true)
  if (isElse || isHad || (isBare && pending.nouns) || isTwisted(marks)) return { ...words, measures: [] }
  return { ...words, measures: moneyMeasures(labels, nouns, other, ways.size > 0) }
}

// Two verbs for one amount ('trades that won made $50'), and 'less than' what is none of the others.
const isTwisted = (marks: readonly Mark[]): boolean => {
  const verbs = marks.filter((mark, at) => mark.is === 'sign' && !isOfPhrase(marks[at - 1]))
  const than = marks.findIndex((mark) => mark.is === 'more' && mark.than)
  const mores = marks.flatMap(({ is }, at) => (is === 'more' ? [at] : []))
  const others = marks.flatMap(({ is }, at) => (is === 'other' ? [at] : []))
  if (verbs.length > 1 && marks.filter(isMoney).length === 1) return true
  return mores.length > 1 || (mores.length === 1 && (than < 0 ? others.length > 0 : others.length !== 1 || (others[0] ?? 0) < than))
}

// `net profit`, `gave back`: one phrase says both.
const isOfPhrase = (mark: Mark | undefined): boolean => mark?.is === 'label' && ['net', 'gross', 'gave-back', 'excess'].includes(mark.label)

// 'made less' is below zero, 'lost more' too; 'lost less' may be either.
const comparedSigns = ({ gain, loss }: SaidSigns, ways: ReadonlySet<-1 | 1>): SaidSigns => {
  if (ways.size > 1 || (gain && loss)) return { gain: true, loss: true }
  if (ways.has(1)) return loss ? { gain: false, loss: true } : { gain: true, loss: false }
  return loss ? { gain: true, loss: true } : { gain: false, loss: true }
}

const moneyMeasures = (labels: ReadonlySet<Label>, nouns: ReadonlySet<string>, other: boolean, compared: boolean): readonly MeasureName[] => {
  const is = (...wanted: Label[]): boolean => labels.size === wanted.length && wanted.every((label) => labels.has(label))
  // Beside another label it is a verb: 'on average they gave back $50'.
  if (labels.has('gave-back') && labels.size > 1) return moneyMeasures(new Set([...labels].filter((label) => label !== 'gave-back')), nouns, other, compared)
  if (nouns.size > 0) {
    if (nouns.size > 1 || other || !is('average')) return []
    return nouns.has('wins') ? ['average-win'] : ['average-loss']
  }
  if (compared || labels.has('excess') || labels.has('interval')) return is('excess') ? ['excess'] : []
  if (is('average') || is('average', 'net')) return other ? ['average-other'] : ['average']
  if (other) return []
  if (labels.size === 0) return ['net']
  if (labels.size > 1) return []
  const [label] = labels
  return label === undefined || label === 'average' ? [] : (moneyMeasure[label] ?? [])
}

const moneyMeasure: Partial<Record<Label, readonly MeasureName[]>> = {
  net: ['net'],
  gross: ['gross'],
  commission: ['commission'],
  'average-win': ['average-win'],
  'average-loss': ['average-loss'],
  'largest-win': ['largest-win'],
  'largest-loss': ['largest-loss'],
  drawdown: ['drawdown'],
  'gave-back': ['given-back', 'net'],
}

// What a share, a time, a chance or a number measures.
const measuresOf = (part: Part, { figure }: Placed['mark'], at: number, pending: Pending, figures: number): readonly MeasureName[] => {
  const { marks, consumed, inherited } = part
  const own = new Set(labelsIn(marks))
  const labels = [...own].some((label) => relevant[figure.unit].has(label)) ? own : new Set([...own, ...pending.labels, ...inherited])
  const others = marks.some(({ is }) => is === 'other') || pending.other
  const other = part.isAgainst || others
  const nouns = new Set(marks.flatMap((mark, index) => (mark.is === 'noun' && !consumed.has(index) && mark.noun !== 'days' && mark.noun !== 'trades' && mark.noun !== 'contracts' ? [mark.noun] : [])))
  const signs = marks.flatMap((mark) => (mark.is === 'sign' ? [mark] : []))
  const hasMoney = marks.some(isMoney)
  if (saysElse(marks, figure.unit)) return []
  // A chance is of nothing but itself, and a rate of days is none of trades.
  if (figure.unit === 'share' && marks.some((mark, index) => (mark.is === 'noun' && mark.noun === 'days' && !consumed.has(index)) || (labels.has('chance') && ['noun', 'sign', 'more', 'other'].includes(mark.is)))) return []
  switch (figure.unit) {
    case 'one-in':
      return labels.has('chance') ? ['chance'] : []
    case 'time':
      if (!labels.has('hold') || marks.filter((mark) => isFigureOf(mark, 'time')).length > 1) return []
      return other ? ['hold-other'] : ['hold']
    case 'share':
      if ((labels.has('average') && !hasMoney) || isOfOutcome(marks, at)) return []
      return shareMeasures(labels, nouns, { other, several: marks.filter((mark) => isFigureOf(mark, 'share')).length > 1, won: signs.some(({ sign, of }) => sign > 0 && of === 'trades'), lost: !hasMoney && signs.some(({ sign }) => sign < 0), compares: marks.some(({ is }) => is === 'more') })
    default:
      return numberMeasures(part, at, { figure, labels, other, others, figures, hasMoney, signs, nouns })
  }
}

const relevant: Record<Figure['unit'], ReadonlySet<Label>> = {
  money: moneyLabels,
  share: new Set(['win-rate', 'share', 'chance', 'commission', 'gave-back']),
  'one-in': new Set(['chance']),
  time: new Set(['hold']),
  number: new Set(['profit-factor', 'win-rate', 'chance', 'size', 'streak']),
}

// `42 % of the wins`, and not `42 % winners` or `42 % of the trades were wins`.
const isOfOutcome = (marks: readonly Mark[], at: number): boolean => {
  const noun = marks.findIndex((mark, index) => index > at && mark.is === 'noun')
  const mark = marks[noun]
  return noun > at + 1 && mark?.is === 'noun' && (mark.noun === 'wins' || mark.noun === 'losses')
}

type ShareWords = { readonly other: boolean; readonly several: boolean; readonly won: boolean; readonly lost: boolean; readonly compares: boolean }

const shareMeasures = (labels: ReadonlySet<Label>, nouns: ReadonlySet<string>, { other, several, won, lost, compares }: ShareWords): readonly MeasureName[] => {
  const [isRate, isChance, isShare] = [labels.has('win-rate'), labels.has('chance'), labels.has('share') || labels.has('commission') || labels.has('gave-back')]
  if (several || compares || (isRate && isChance) || labels.has('profit-factor')) return []
  if (isChance) return other ? [] : ['chance']
  if (isRate) return nouns.size > 0 || won || lost || isShare || other ? [] : ['win-rate']
  if (won || nouns.has('wins')) return (won && nouns.size > 0) || isShare || lost || nouns.has('losses') || other ? [] : ['win-rate']
  if (labels.has('average') || labels.has('drawdown')) return []
  return isShare && !lost && nouns.size === 0 ? [other ? 'share-other' : 'share'] : []
}

type NumberWords = { readonly figure: Figure; readonly labels: ReadonlySet<Label>; readonly other: boolean; readonly others: boolean; readonly figures: number; readonly hasMoney: boolean; readonly signs: readonly Extract<Mark, { is: 'sign' }>[]; readonly nouns: ReadonlySet<string> }

const numberMeasures = ({ marks, nouns: placed }: Part, at: number, words: NumberWords): readonly MeasureName[] => {
  const { figure, labels, other, hasMoney, signs } = words
  if (figure.sign !== 0) return []
  if (isOfAll(marks, at, 1)) return partMeasures(words)
  const noun = marks[placed.get(at) ?? -1]
  if (noun?.is !== 'noun') return bareMeasures(words)
  if (noun.noun === 'contracts') return other ? ['size-other'] : ['size']
  const compares = marks.some(({ is }) => is === 'more')
  // Winners may stand against losers; nothing else that is counted has others to stand against.
  if (!figure.shown.whole || (noun.noun === 'wins' || noun.noun === 'losses' ? words.others : other) || ((compares || labels.has('average')) && !hasMoney && words.figures === 1)) return []
  if (noun.noun === 'days') return labels.has('streak') || (signs.length > 0 && !hasMoney) ? [] : ['days']
  if (labels.has('streak')) return streakMeasures(noun.noun, words.nouns)
  if (noun.noun === 'wins') return ['wins']
  if (noun.noun === 'losses') return ['losses']
  if (isOfAll(marks, at, -1)) return noun.noun === 'trades' ? ['trades'] : []
  if (hasMoney || signs.every(({ sign, of }) => sign > 0 && of === 'money')) return ['trades']
  const ways = new Set(signs.map(({ sign, of }) => (of === 'trades' ? sign : 0)))
  return ways.size > 1 ? [] : ways.has(1) ? ['wins'] : ways.has(-1) ? ['losses'] : []
}

// `22 of 38 trades`: whether a number is of another behind it (1), or another is of it (-1).
const isOfAll = (marks: readonly Mark[], at: number, way: -1 | 1): boolean => {
  const [link, number] = [marks[at + way], marks[at + 2 * way]]
  return link?.is === 'word' && link.between && number?.is === 'figure' && number.figure.unit === 'number'
}

const partMeasures = ({ figure, hasMoney, signs, nouns, other }: NumberWords): readonly MeasureName[] => {
  const ways = new Set([...signs.map(({ sign, of }) => (of === 'trades' ? sign : 0)), ...[...nouns].map((noun) => (noun === 'wins' ? 1 : -1))])
  if (hasMoney || other || ways.size !== 1 || !figure.shown.whole) return []
  return ways.has(1) ? ['wins'] : ways.has(-1) ? ['losses'] : []
}

const streakMeasures = (noun: string, nouns: ReadonlySet<string>): readonly MeasureName[] => {
  const of = noun === 'trades' ? [...nouns] : [noun, ...nouns]
  if (new Set(of).size !== 1) return []
  return of[0] === 'wins' ? ['longest-wins'] : of[0] === 'losses' ? ['longest-losses'] : []
}

// A number without a noun is a ratio, a rate from 0 to 1, or the length of a streak, where a word says so.
const bareMeasures = ({ figure, labels, other, nouns }: NumberWords): readonly MeasureName[] => {
  const said = (['profit-factor', 'win-rate', 'chance', 'size', 'streak'] as const).filter((label) => labels.has(label))
  if (said.length !== 1 || (labels.has('average') && said[0] !== 'size')) return []
  switch (said[0]) {
    case 'profit-factor':
      return other ? [] : ['profit-factor']
    case 'win-rate':
      return figure.shown.whole || other || nouns.has('losses') ? [] : ['win-rate']
    case 'chance':
      return figure.shown.whole || other ? [] : ['chance']
    case 'size':
      return other ? ['size-other'] : ['size']
    default:
      return other || !figure.shown.whole ? [] : streakMeasures('trades', nouns)
  }
}
